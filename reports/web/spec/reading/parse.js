// Reads a spec as users of Spack write it (schema/specs/queries/spec_parser.hpp says by which rules).
import { canonicalCompiler, isKnownCompiler } from './compilers.js';
import { addDependency } from './constrain.js';
import { canonicalNamespace, Options } from './options.js';
import { emptyQuery, queryText } from './query.js';
import { Scanner, SpecError } from './scanner.js';
import { sorted } from './variants.js';

const of_name = '-';   // beside letters, digits and '_'
const deptypes = ['build', 'link', 'run', 'test'];

function isFile(text) {
  const [word] = /^[A-Za-z0-9\-_./]*/.exec(text);
  return /\.(json|yaml)$/.test(word) && (word.startsWith('.') || word.includes('/'));
}

class Parser {
  constructor(text, order, before_1_0) {
    this.scanner = new Scanner(text);
    this.options = new Options(this.scanner, order, before_1_0);
    this.before_1_0 = before_1_0;
  }

  isAtEnd() {
    this.scanner.skipBlanks();
    return this.scanner.is_at_end;
  }

  next() {
    const { scanner } = this;
    scanner.skipBlanks();
    const begin = scanner.at;
    const root = emptyQuery();
    this.readName(root);
    this.options.read(root);
    let current = root;   // what '%' belongs to: the '^' before it, else the root
    while (!this.isAtEnd() && scanner.seesAny('%^')) {
      const { at } = scanner;
      const is_direct = scanner.sees('%');
      const parent = is_direct ? current : root;
      const added = this.add(parent, this.readDependency(parent), at);
      if (!is_direct) current = added?.spec ?? emptyQuery();   // of a '^' that is joined to an earlier one, Spack drops the '%'
    }
    if (scanner.at === begin) scanner.fail('a spec like hdf5@1.14+mpi');
    return root;
  }

  add(parent, dependency, at) {
    try {
      return addDependency(parent, dependency);
    } catch (error) {
      return this.scanner.failAt(at, error.message);
    }
  }

  // A name is there unless the word is the key of "key=value".
  readName(spec) {
    this.scanner.skipBlanks();
    if (isFile(this.scanner.rest)) this.scanner.failAt(this.scanner.at, 'expected a spec, found the name of a file');
    if (this.scanner.takeIf('*') || this.options.seesKeyAndValue()) return;
    setName(spec, this.takeDottedName());
  }

  // "hdf5" or "builtin.hdf5"; empty if there is none.
  takeDottedName() {
    return this.scanner.take(this.lengthOfWords('.'));
  }

  // The length of words with this between them; what stands behind the last separator must be a word.
  lengthOfWords(separator) {
    let length = this.scanner.wordLength(of_name);
    while (length > 0 && this.scanner.rest[length] === separator) {
      const more = this.scanner.wordLength(of_name, length + 1);
      if (more === 0) break;
      length += 1 + more;
    }
    return length;
  }

  // "%gcc@13" or "^zlib". Before Spack 1.0, options behind a plain compiler go to `parent`.
  readDependency(parent) {
    const { scanner } = this;
    const is_direct = scanner.sees('%');
    const is_propagated = scanner.takeIf('%%');
    if (!is_propagated) scanner.take(1);
    const dependency = { is_direct, is_propagated, virtuals: [], deptypes: [], spec: emptyQuery() };
    const has_properties = scanner.takeIf('[');
    if (has_properties) this.readProperties(dependency);
    scanner.skipBlanks();
    const begin = scanner.at;
    const is_assignment = this.readAssignment(dependency);
    const { spec } = dependency;
    if (!is_assignment) this.readName(spec);
    if (is_direct && spec.package !== null) spec.package = canonicalCompiler(spec.package);
    const is_plain = this.before_1_0 && is_direct && !is_propagated && !has_properties && !is_assignment;
    if (is_plain && spec.package !== null && isKnownCompiler(spec.package)) {
      this.options.readVersion(spec);
      this.options.read(parent);
    } else {
      this.options.read(spec);
    }
    if (scanner.at === begin && scanner.is_at_end && is_direct && !has_properties) scanner.fail("a package behind '%'");
    return dependency;
  }

  // "c,cxx=gcc": the virtuals, and the package that provides them.
  readAssignment(dependency) {
    const { scanner } = this;
    const length = this.lengthOfWords(',');
    if (length === 0 || scanner.rest[length] !== '=' || scanner.wordLength(of_name, length + 1) === 0) return false;
    dependency.virtuals = this.listOf(scanner.take(length));
    scanner.take(1);
    setName(dependency.spec, this.takeDottedName());
    return true;
  }

  // "virtuals=c,cxx deptypes=build]"
  readProperties(dependency) {
    const { scanner } = this;
    for (scanner.skipBlanks(); !scanner.takeIf(']'); scanner.skipBlanks()) {
      const begin = scanner.at;
      const key = scanner.takeWord('-.');
      if (key === '' || !scanner.takeIf('=')) scanner.fail("virtuals=..., deptypes=... or ']'");
      const value = scanner.takeValue();
      if (key === 'virtuals' || key === 'deptypes') dependency[key] = sorted([...dependency[key], ...this.listOf(value)]);
      else scanner.failAt(begin, `expected virtuals=... or deptypes=..., found '${key}=', which the ledger can't answer`);
      if (key === 'deptypes') this.requireDeptypes(dependency, begin);
    }
  }

  // The words of a list like "c,cxx".
  listOf(text) {
    const list = [];
    for (const words = new Scanner(text); !words.is_at_end; words.take(1)) {
      const word = words.takeWord(of_name);
      if (word === '' || !(words.is_at_end || words.sees(','))) {
        this.scanner.failAt(this.scanner.at - text.length, `expected a list like c,cxx, found '${text}'`);
      }
      list.push(word);
    }
    return sorted(list);
  }

  requireDeptypes(dependency, at) {
    const other = dependency.deptypes.find((type) => !deptypes.includes(type));
    if (other !== undefined) this.scanner.failAt(at, `expected deptypes of build, link, run and test, found '${other}'`);
  }
}

function setName(spec, name) {
  const dot = name.lastIndexOf('.');
  if (dot >= 0) spec.namespace = canonicalNamespace(name.slice(0, dot));
  if (name.slice(dot + 1) !== '') spec.package = name.slice(dot + 1);
}

// Whether Spack before 1.0 printed this: the compiler directly behind the version, and its hash, or behind the variants
// arch=PLATFORM-OS-TARGET.
const isPrintedBefore10 = (text) => /^[^% ^@]*@[^% ^]*%(?:[^\s/+~=@]*@[^\s/+~=]*\/|.* arch=[^ -]*-[^ -]*-[^ -]*(?: |$))/s.test(text);

/// The query of one spec. `order` is that of targets; `before_1_0`: by the rules of Spack before 1.0. Throws SpecError.
export function parseSpec(text, order, before_1_0 = false) {
  const parser = new Parser(text, order, before_1_0 || isPrintedBefore10(text));
  const spec = parser.next();
  if (!parser.isAtEnd()) parser.scanner.fail('an option like +mpi, or the end of the spec');
  return spec;
}

/// The same text as Spack before 1.0 meant it; null if that is what parseSpec() makes of it, or if it was no spec.
export function parseAsBefore10(text, order) {
  try {
    const spec = parseSpec(text, order, true);
    return queryText(spec) === queryText(parseSpec(text, order)) ? null : spec;
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return null;
  }
}
