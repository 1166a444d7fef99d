// Reads a spec as users of Spack write it (schema/specs/queries/spec_parser.hpp says by which rules).
import { canonicalCompiler, isKnownCompiler } from './compilers.js';
import { canonicalNamespace, Options } from './options.js';
import { emptyQuery } from './query.js';
import { Scanner } from './scanner.js';
import { sorted } from './variants.js';

const of_name = '-';   // beside letters, digits and '_'
const deptypes = ['build', 'link', 'run', 'test'];

function isFile(text) {
  const [word] = /^[A-Za-z0-9\-_./]*/.exec(text);
  return /\.(json|yaml)$/.test(word) && (word.startsWith('.') || word.includes('/'));
}

class Parser {
  constructor(text, order) {
    this.scanner = new Scanner(text);
    this.options = new Options(this.scanner, order);
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
      if (scanner.sees('^')) {
        const dependency = this.readDependency(root);
        root.dependencies.push(dependency);
        current = dependency.spec;
      } else {
        current.dependencies.push(this.readDependency(current));
      }
    }
    if (scanner.at === begin) scanner.fail('a spec like hdf5@1.14+mpi');
    return root;
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

  // "%gcc@13" or "^zlib". Options behind a plain compiler go to `parent`.
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
    const is_plain = is_direct && !is_propagated && !has_properties && !is_assignment;
    if (is_plain && spec.package !== null && isKnownCompiler(spec.package)) {
      this.options.readVersion(spec);
      this.options.read(parent);
    } else {
      this.options.read(spec);
    }
    if (scanner.at === begin) scanner.fail(`a package behind '${is_direct ? '%' : '^'}'`);
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
    if (dependency.deptypes.join() === 'all') dependency.deptypes = [];
    const other = dependency.deptypes.find((type) => !deptypes.includes(type));
    if (other !== undefined) this.scanner.failAt(at, `expected deptypes of build, link, run and test, found '${other}'`);
  }
}

function setName(spec, name) {
  const dot = name.lastIndexOf('.');
  if (dot >= 0) spec.namespace = canonicalNamespace(name.slice(0, dot));
  if (name.slice(dot + 1) !== '') spec.package = name.slice(dot + 1);
}

/// The query of one spec. `order` is that of targets. Throws SpecError.
export function parseSpec(text, order) {
  const parser = new Parser(text, order);
  const spec = parser.next();
  if (!parser.isAtEnd()) parser.scanner.fail('an option like +mpi, or the end of the spec');
  return spec;
}
