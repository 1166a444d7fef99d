// What can stand behind the name of a spec: "@1.14", "+mpi", "api=default", "cflags='-O2'", "target=x86_64_v3", "/abc1234"
// (schema/specs/queries/spec_options.cpp).
import { wordsOf } from './scanner.js';
import { TargetSet } from './targets.js';
import { isBoolean, isCompilerFlag, valuesOf } from './variants.js';
import { takeVersions } from './versions.js';

const of_key = '-.';   // beside letters, digits and '_'
const of_system_before_1_0 = '-.:,';
const of_variant_before_1_0 = '-+*.,:=~/\\';

const systems = new Set(['arch', 'architecture', 'platform', 'os', 'operating_system', 'target']);
const reserved = new Set(['branch', 'commit', 'dev_path', 'patches', 'ref', 'tag']);   // each spec has its own
const of_machine = new Set(['default_os', 'default_target', 'frontend', 'fe', 'backend', 'be']);

// The separator at the beginning: "=", "==", ":=" or ":=="; else ''.
const separatorOf = (text) => /^:?==?/.exec(text)?.[0] ?? '';

/// Spack wrote "builtin.mock" and "spack_repo.builtin_mock" for builtin_mock.
export const canonicalNamespace = (name) => name.replace(/^spack_repo\.(?=.)/, '').replaceAll('.', '_');

export class Options {
  /// `order` is that of targets. `before_1_0`: values end where Spack before 1.0 ended them.
  constructor(scanner, order, before_1_0) {
    Object.assign(this, { scanner, order, before_1_0 });
  }

  /// Reads all options that follow. Stops in front of anything else.
  read(spec) {
    const { scanner } = this;
    for (scanner.skipBlanks(); !scanner.is_at_end; scanner.skipBlanks()) {
      if (scanner.sees('@')) {
        if (!spec.version.allows_all) scanner.fail('one version for a spec');
        this.readVersion(spec);
      } else if (scanner.seesAny('+~-')) {
        this.readBoolean(spec);
      } else if (scanner.sees('/') && spec.hash === '') {
        this.readHash(spec);
      } else if (this.seesKeyAndValue()) {
        this.readKeyAndValue(spec);
      } else {
        return;
      }
    }
  }

  seesKeyAndValue() {
    const length = this.scanner.wordLength(of_key);
    return length > 0 && separatorOf(this.scanner.rest.slice(length)) !== '';
  }

  readVersion(spec) {
    this.scanner.skipBlanks();
    if (this.scanner.sees('@')) spec.version = takeVersions(this.scanner);
  }

  // "+mpi", "~mpi", "-mpi", and "++mpi", "~~mpi", "--mpi" for all dependencies, too.
  readBoolean(spec) {
    const { scanner } = this;
    const { at } = scanner;
    const sign = scanner.take(1);
    const is_propagated = scanner.takeIf(sign);
    scanner.skipBlanks();
    const name = scanner.takeWord(of_key);
    if (name === '') scanner.fail(`the name of a variant behind '${sign}'`);
    this.addVariant(spec, { name, is_exact: false, is_propagated }, sign === '+' ? 'true' : 'false', at);
  }

  readHash(spec) {
    this.scanner.take(1);
    spec.hash = this.scanner.takeWord('');
    if (spec.hash === '') this.scanner.fail("a hash or its beginning behind '/'");
  }

  readKeyAndValue(spec) {
    const { scanner } = this;
    const { at } = scanner;
    const key = scanner.takeWord(of_key);
    const separator = scanner.take(separatorOf(scanner.rest).length);
    const is_propagated = separator.endsWith('==');
    if (scanner.valueLength() === 0 && !scanner.seesAny('"\'')) scanner.fail(`a value behind '${key}${separator}'`);
    const ends_at_blank = isCompilerFlag(key) || !this.before_1_0;
    const value = scanner.takeValue(ends_at_blank ? null : systems.has(key) ? of_system_before_1_0 : of_variant_before_1_0);
    if (this.setAttribute(spec, key, value, at)) {
      if (is_propagated) this.refusePropagated(key, at);
    } else if (isCompilerFlag(key)) {
      addFlags(spec, key, value, is_propagated);
    } else {
      this.addVariant(spec, { name: key, is_exact: separator.startsWith(':'), is_propagated }, value, at);
    }
  }

  refusePropagated(key, at) {
    this.scanner.failAt(at, `expected '${key}=', because '==' is for variants and flags that dependencies share`);
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
    if (parts.length !== 3) this.scanner.failAt(at, `expected arch=platform-os-target or arch=target, found '${value}'`);
    const [platform, os, target] = parts;
    if (platform !== 'None') this.setWord(spec, 'platform', 'platform', platform, at);
    if (os !== 'None') this.setWord(spec, 'os', 'os', os, at);
    if (target !== 'None') this.setTarget(spec, target, at);
  }

  setTarget(spec, value, at) {
    this.requireWord(spec.target !== null, 'target', value, at);
    try {
      spec.target = new TargetSet(value, this.order);
    } catch (error) {
      this.scanner.failAt(at, error.message);
    }
  }

  setWord(spec, attribute, key, value, at) {
    this.requireWord(spec[attribute] !== null, key, value, at);
    spec[attribute] = value;
  }

  requireWord(is_second, key, value, at) {
    if (is_second) this.scanner.failAt(at, `expected one ${key}, found another: '${value}'`);
    if (of_machine.has(value)) this.scanner.failAt(at, `expected ${key}=NAME, found '${value}', which depends on a machine`);
    if (value === '' || /[ \t\r\n\f\v]/.test(value)) this.scanner.failAt(at, `expected ${key}=NAME, found '${value}'`);
  }

  addVariant(spec, { name, is_exact, is_propagated }, value, at) {
    if (spec.variants.some((one) => one.name === name)) this.scanner.failAt(at, `expected variant '${name}' once`);
    if (is_propagated && reserved.has(name)) this.refusePropagated(name, at);
    let values;
    try {
      values = valuesOf(name, value);
    } catch (error) {
      this.scanner.failAt(at, error.message);
    }
    const is_any = value === '*';
    const exact = is_exact && !is_any && !isBoolean(values);   // says nothing more of these
    if (!is_any && values.includes('*')) this.scanner.failAt(at, `expected '*' without other values, found '${value}'`);
    spec.variants.push({ name, values: is_any ? [] : values, is_any, is_exact: exact, is_propagated });
    spec.variants.sort(byName);
  }
}

const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.is_propagated - b.is_propagated);

function addFlags(spec, name, value, is_propagated) {
  const words = wordsOf(value);
  const there = spec.flags.find((one) => one.name === name && one.is_propagated === is_propagated);
  if (there) there.flags.push(...words);
  else if (words.length > 0) spec.flags.push({ name, flags: words, is_propagated });
  spec.flags.sort(byName);
}
