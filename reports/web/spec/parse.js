// Reads a spec as users of Spack write it (schema/specs/queries/spec_parser.hpp and spec_options.cpp say by which rules).
import { addDependency, emptyQuery, queryText } from './query.js';
import { canonicalCompiler, isBoolean, isCompilerFlag, isKnownCompiler, sorted, TargetSet, valuesOf } from './values.js';
import { Scanner, SpecError, takeVersions, wordsOf } from './versions.js';
import { plain } from '../table/order.js';

// What can stand behind the name of a spec: "@1.14", "+mpi", "api=default", "cflags='-O2'", "target=x86_64_v3", "/abc1234".
const of_key = '-.';   // beside letters, digits and '_'
const of_system_before_1_0 = '-.:,';
const of_variant_before_1_0 = '-+*.,:=~/\\';

const systems = new Set(['arch', 'architecture', 'platform', 'os', 'operating_system', 'target']);
const reserved = new Set(['branch', 'commit', 'dev_path', 'patches', 'ref', 'tag']);   // each spec has its own
const of_machine = new Set(['default_os', 'default_target', 'frontend', 'fe', 'backend', 'be']);

// The separator at the beginning: "=", "==", ":=" or ":=="; else ''.
const separatorOf = (text) => /^:?==?/.exec(text)?.[0] ?? '';

/// Spack wrote "builtin.mock" and "spack_repo.builtin_mock" for builtin_mock.
const canonicalNamespace = (name) => name.replace(/^spack_repo\.(?=.)/, '').replaceAll('.', '_');

const byName = (a, b) => plain(a.name, b.name) || a.is_propagated - b.is_propagated;

function addFlags(spec, name, value, is_propagated) {
  const words = wordsOf(value);
  const there = spec.flags.find((one) => one.name === name && one.is_propagated === is_propagated);
  if (there) there.flags.push(...words);
  else if (words.length > 0) spec.flags.push({ name, flags: words, is_propagated });
  spec.flags.sort(byName);
}

const of_name = '-';   // beside letters, digits and '_'
const deptypes = ['build', 'link', 'run', 'test'];

function isFile(text) {
  const [word] = /^[A-Za-z0-9\-_./]*/.exec(text);
  return /\.(json|yaml)$/.test(word) && (word.startsWith('.') || word.includes('/'));
}

class Parser extends Scanner {
  /// `order` is that of targets. `before_1_0`: values end where Spack before 1.0 ended them.
  constructor(text, order, before_1_0) {
    super(text);
    Object.assign(this, { order, before_1_0 });
  }

  isAtEnd() {
    this.skipBlanks();
    return this.is_at_end;
  }

  next() {
    this.skipBlanks();
    const begin = this.at;
    const root = emptyQuery();
    this.readName(root);
    this.readOptions(root);
    let current = root;   // what '%' belongs to: the '^' before it, else the root
    while (!this.isAtEnd() && this.seesAny('%^')) {
      const { at } = this;
      const is_direct = this.sees('%');
      const parent = is_direct ? current : root;
      const dependency = this.readDependency(parent);
      const added = this.tryAt(at, () => addDependency(parent, dependency));
      if (!is_direct) current = added?.spec ?? emptyQuery();   // of a '^' that is joined to an earlier one, Spack drops the '%'
    }
    if (this.at === begin) this.fail('a spec like hdf5@1.14+mpi');
    return root;
  }

  // A name is there unless the word is the key of "key=value".
  readName(spec) {
    this.skipBlanks();
    if (isFile(this.rest)) this.failAt(this.at, 'expected a spec, found the name of a file');
    if (this.takeIf('*') || this.seesKeyAndValue()) return;
    setName(spec, this.takeDottedName());
  }

  // "hdf5" or "builtin.hdf5"; empty if there is none.
  takeDottedName() {
    return this.take(this.lengthOfWords('.'));
  }

  // The length of words with this between them; what stands behind the last separator must be a word.
  lengthOfWords(separator) {
    let length = this.wordLength(of_name);
    while (length > 0 && this.rest[length] === separator) {
      const more = this.wordLength(of_name, length + 1);
      if (more === 0) break;
      length += 1 + more;
    }
    return length;
  }

  // "%gcc@13" or "^zlib". Before Spack 1.0, options behind a plain compiler go to `parent`.
  readDependency(parent) {
    const is_direct = this.sees('%');
    const is_propagated = this.takeIf('%%');
    if (!is_propagated) this.take(1);
    const dependency = { is_direct, is_propagated, virtuals: [], deptypes: [], spec: emptyQuery() };
    const has_properties = this.takeIf('[');
    if (has_properties) this.readProperties(dependency);
    this.skipBlanks();
    const begin = this.at;
    const is_assignment = this.readAssignment(dependency);
    const { spec } = dependency;
    if (!is_assignment) this.readName(spec);
    if (is_direct && spec.package !== null) spec.package = canonicalCompiler(spec.package);
    const is_plain = this.before_1_0 && is_direct && !is_propagated && !has_properties && !is_assignment;
    if (is_plain && spec.package !== null && isKnownCompiler(spec.package)) {
      this.readVersion(spec);
      this.readOptions(parent);
    } else {
      this.readOptions(spec);
    }
    if (this.at === begin && this.is_at_end && is_direct && !has_properties) this.fail("a package behind '%'");
    return dependency;
  }

  // "c,cxx=gcc": the virtuals, and the package that provides them.
  readAssignment(dependency) {
    const length = this.lengthOfWords(',');
    if (length === 0 || this.rest[length] !== '=' || this.wordLength(of_name, length + 1) === 0) return false;
    dependency.virtuals = this.listOf(this.take(length));
    this.take(1);
    setName(dependency.spec, this.takeDottedName());
    return true;
  }

  // "virtuals=c,cxx deptypes=build]"
  readProperties(dependency) {
    for (this.skipBlanks(); !this.takeIf(']'); this.skipBlanks()) {
      const begin = this.at;
      const key = this.takeWord('-.');
      if (key === '' || !this.takeIf('=')) this.fail("virtuals=..., deptypes=... or ']'");
      const value = this.takeValue();
      if (key === 'virtuals' || key === 'deptypes') dependency[key] = sorted([...dependency[key], ...this.listOf(value)]);
      else this.failAt(begin, `expected virtuals=... or deptypes=..., found '${key}=', which the ledger can't answer`);
      const other = dependency.deptypes.find((type) => !deptypes.includes(type));
      if (other !== undefined) this.failAt(begin, `expected deptypes of build, link, run and test, found '${other}'`);
    }
  }

  // The words of a list like "c,cxx".
  listOf(text) {
    const list = [];
    for (const words = new Scanner(text); !words.is_at_end; words.take(1)) {
      const word = words.takeWord(of_name);
      if (word === '' || !(words.is_at_end || words.sees(','))) {
        this.failAt(this.at - text.length, `expected a list like c,cxx, found '${text}'`);
      }
      list.push(word);
    }
    return sorted(list);
  }

  /// Reads all options that follow. Stops in front of anything else.
  readOptions(spec) {
    for (this.skipBlanks(); !this.is_at_end; this.skipBlanks()) {
      if (this.sees('@')) {
        if (!spec.version.allows_all) this.fail('one version for a spec');
        this.readVersion(spec);
      } else if (this.seesAny('+~-')) {
        this.readBoolean(spec);
      } else if (this.sees('/') && spec.hash === '') {
        this.readHash(spec);
      } else if (this.seesKeyAndValue()) {
        this.readKeyAndValue(spec);
      } else {
        return;
      }
    }
  }

  seesKeyAndValue() {
    const length = this.wordLength(of_key);
    return length > 0 && separatorOf(this.rest.slice(length)) !== '';
  }

  readVersion(spec) {
    this.skipBlanks();
    if (this.sees('@')) spec.version = takeVersions(this);
  }

  // "+mpi", "~mpi", "-mpi", and "++mpi", "~~mpi", "--mpi" for all dependencies, too.
  readBoolean(spec) {
    const { at } = this;
    const sign = this.take(1);
    const is_propagated = this.takeIf(sign);
    this.skipBlanks();
    const name = this.takeWord(of_key);
    if (name === '') this.fail(`the name of a variant behind '${sign}'`);
    this.addVariant(spec, { name, is_exact: false, is_propagated }, sign === '+' ? 'true' : 'false', at);
  }

  readHash(spec) {
    this.take(1);
    spec.hash = this.takeWord('');
    if (spec.hash === '') this.fail("a hash or its beginning behind '/'");
  }

  readKeyAndValue(spec) {
    const { at } = this;
    const key = this.takeWord(of_key);
    const separator = this.take(separatorOf(this.rest).length);
    const is_propagated = separator.endsWith('==');
    if (this.valueLength() === 0 && !this.seesAny('"\'')) this.fail(`a value behind '${key}${separator}'`);
    const ends_at_blank = isCompilerFlag(key) || !this.before_1_0;
    const value = this.takeValue(ends_at_blank ? null : systems.has(key) ? of_system_before_1_0 : of_variant_before_1_0);
    if (this.setAttribute(spec, key, value, at)) {
      if (is_propagated) this.refusePropagated(key, at);
    } else if (isCompilerFlag(key)) {
      addFlags(spec, key, value, is_propagated);
    } else {
      this.addVariant(spec, { name: key, is_exact: separator.startsWith(':'), is_propagated }, value, at);
    }
  }

  refusePropagated(key, at) {
    this.failAt(at, `expected '${key}=', because '==' is for variants and flags that dependencies share`);
  }

  // False if the key is none of an attribute that every spec has.
  setAttribute(spec, key, value, at) {
    if (key === 'arch' || key === 'architecture') this.setArch(spec, value, at);
    else if (key === 'platform') this.setWord(spec, 'platform', key, value, at);
    else if (key === 'os' || key === 'operating_system') this.setWord(spec, 'os', key, value, at);
    else if (key === 'target') this.setTarget(spec, value, at);
    else if (key === 'namespace') {
      this.setWord(spec, 'namespace', key, value, at);
      spec.namespace = canonicalNamespace(value);
    } else return false;
    return true;
  }

  // "linux-ubuntu22.04-x86_64", where "None" is a part that is not asked; or only a target.
  setArch(spec, value, at) {
    const parts = value.split('-');
    if (parts.length === 1) {
      this.setTarget(spec, value, at);
      return;
    }
    if (parts.length !== 3) this.failAt(at, `expected arch=platform-os-target or arch=target, found '${value}'`);
    const [platform, os, target] = parts;
    if (platform !== 'None') this.setWord(spec, 'platform', 'platform', platform, at);
    if (os !== 'None') this.setWord(spec, 'os', 'os', os, at);
    if (target !== 'None') this.setTarget(spec, target, at);
  }

  setTarget(spec, value, at) {
    this.requireWord(spec.target !== null, 'target', value, at);
    spec.target = this.tryAt(at, () => new TargetSet(value, this.order));
  }

  setWord(spec, attribute, key, value, at) {
    this.requireWord(spec[attribute] !== null, key, value, at);
    spec[attribute] = value;
  }

  requireWord(is_second, key, value, at) {
    if (is_second) this.failAt(at, `expected one ${key}, found another: '${value}'`);
    if (of_machine.has(value)) this.failAt(at, `expected ${key}=NAME, found '${value}', which depends on a machine`);
    if (value === '' || /[ \t\r\n\f\v]/.test(value)) this.failAt(at, `expected ${key}=NAME, found '${value}'`);
  }

  addVariant(spec, { name, is_exact, is_propagated }, value, at) {
    if (spec.variants.some((one) => one.name === name)) this.failAt(at, `expected variant '${name}' once`);
    if (is_propagated && reserved.has(name)) this.refusePropagated(name, at);
    const values = this.tryAt(at, () => valuesOf(name, value));
    const is_any = value === '*';
    const exact = is_exact && !is_any && !isBoolean(values);   // says nothing more of these
    if (!is_any && values.includes('*')) this.failAt(at, `expected '*' without other values, found '${value}'`);
    spec.variants.push({ name, values: is_any ? [] : values, is_any, is_exact: exact, is_propagated });
    spec.variants.sort(byName);
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
  if (!parser.isAtEnd()) parser.fail('an option like +mpi, or the end of the spec');
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
