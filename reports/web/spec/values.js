// What the ledger has of a build, as a spec asks for it: compilers, targets and variants.
import { plain } from '../table/order.js';

// Whether a build has what is asked. `unknown`: what the ledger has of the build does not say.
export const no = 0;
export const unknown = 1;
export const yes = 2;

export const answer = (holds) => (holds ? yes : no);
export const allOf = Math.min;
export const anyOf = Math.max;

// Names of compilers: each has its new one, whichever is given (schema/specs/spelling/compiler.cpp).
const renamed = new Map([
  ['arm', 'acfl'], ['clang', 'llvm'], ['oneapi', 'intel-oneapi-compilers'], ['rocmcc', 'llvm-amdgpu'],
  ['intel', 'intel-oneapi-compilers-classic'], ['intel-oneapi-compiler-classic', 'intel-oneapi-compilers-classic'],
]);

const known_compilers = new Set(['acfl', 'aocc', 'apple-clang', 'cce', 'dpcpp', 'fj', 'gcc', 'intel-oneapi-compilers',
  'intel-oneapi-compilers-classic', 'llvm', 'llvm-amdgpu', 'msvc', 'nag', 'nvhpc', 'pgi', 'xl', 'xl_r']);

export const canonicalCompiler = (name) => renamed.get(name) ?? name;

/// Whether this is the canonical name of a compiler that Spack knows.
export const isKnownCompiler = (canonical) => known_compilers.has(canonical);

/// {name, version} of a compiler of the ledger: "gcc@13.2.0", or "gcc", of which the version is null.
export function parseCompiler(text) {
  const [name, version = null] = text.split(/@(.*)/s);
  return { name: canonicalCompiler(name), version };
}

// Targets, their order, and the sets of them that a spec allows (schema/specs/constraints/target_set.cpp).

/// How code for one target suits another one, which is wanted. The better fit is the smaller. From `runs` up to `may_not_run` the
/// wanted target runs it: how many more targets the wanted one runs.
export const fits = { same: 0, runs: 1, may_not_run: 10000, other_family: 20000 };

/// The order of targets, from the rows of the view target_order: {target, runs, family}.
export class TargetOrder {
  constructor(rows) {
    this.known = new Map();
    for (const { target, runs, family } of rows) {
      if (!this.known.has(target)) this.known.set(target, { family, runs: new Set() });
      this.known.get(target).runs.add(runs);
    }
  }

  has(target) {
    return this.known.has(target);
  }

  /// Whether `target` runs code for `other`. Both are known.
  runs(target, other) {
    return this.known.get(target).runs.has(other);
  }

  /// Of a name that nobody knows nothing is claimed, but that it fits itself.
  fit(wanted, there) {
    if (wanted === there) return fits.same;
    if (!this.has(wanted) || !this.has(there)) return fits.may_not_run;
    if (this.known.get(wanted).family !== this.known.get(there).family) return fits.other_family;
    return this.runs(wanted, there) ? this.known.get(wanted).runs.size - this.known.get(there).runs.size : fits.may_not_run;
  }
}

/// The targets of "x86_64_v3:,zen2". A target is above another if code for the other runs on it.
export class TargetSet {
  constructor(text, order) {
    this.text = text;
    this.order = order;
    this.ranges = text.split(',').map((one) => this.readRange(one));
  }

  readRange(text) {
    const colon = text.indexOf(':');
    if (colon < 0) {
      if (text === '') throw new Error(`expected a target like x86_64_v3, found '${this.text}'`);
      return { is_one: true, from: text, to: '' };
    }
    const range = { is_one: false, from: text.slice(0, colon), to: text.slice(colon + 1) };
    for (const end of [range.from, range.to]) {
      if (end !== '' && !this.order.has(end)) {
        throw new Error(`expected a target that is known as the end of a range, like x86_64_v3, found '${end}'`);
      }
    }
    return range;
  }

  /// Unknown if the target would have to be compared with a range and nobody knows its place in the order.
  contains(target) {
    if (this.text === '*') return yes;
    return this.ranges.reduce((found, { is_one, from, to }) => {
      if (is_one) return anyOf(found, answer(target === from));
      if (!this.order.has(target)) return anyOf(found, from === '' && to === '' ? yes : unknown);
      const above = from === '' || this.order.runs(target, from);
      const below = to === '' || this.order.runs(to, target);
      return anyOf(found, answer(above && below));
    }, no);
  }

  /// How code for `target` suits the one of these targets that it suits best. The end of a range runs all that its other targets run.
  fit(target) {
    if (this.contains(target) === yes) return fits.same;
    const each = this.ranges.map(({ from, to }) => Math.max(fits.runs, this.order.fit(to === '' ? from : to, target)));
    return Math.min(fits.other_family, ...each);
  }
}

// Variants in the spelling of the ledger (schema/specs/spelling/variants.cpp).
const patch_digits = 7;
const flag_names = new Set(['cflags', 'cppflags', 'cxxflags', 'fflags', 'ldflags', 'ldlibs']);

/// Spack lists compiler flags together with variants. They are none.
export const isCompilerFlag = (name) => flag_names.has(name);

export const sorted = (values) => [...new Set(values)].sort(plain);

export const isBoolean = (values) => values?.length === 1 && (values[0] === 'true' || values[0] === 'false');

function canonicalValue(name, value) {
  const low = value.toLowerCase();
  if (low === 'true' || low === 'false') return low;
  return name === 'patches' && value.length > patch_digits && /^[0-9a-fA-F]+$/.test(value) ? value.slice(0, patch_digits) : value;
}

function checked(name, values) {
  if (values.length > 1 && (values.includes('true') || values.includes('false'))) {
    throw new Error(`variant '${name}' is given as a boolean and as something else`);
  }
  return values;
}

/// The sorted values of a list that is separated by commas.
export const valuesOf = (name, list) => checked(name, sorted(list.split(',').map((value) => canonicalValue(name, value))));

// Single quotes enclose the text as it is, double quotes enclose escapes of JSON.
function unquoted(value) {
  if (value.length < 2 || value[0] !== value.at(-1)) return value;
  if (value[0] === "'") return value.slice(1, -1);
  if (value[0] !== '"') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;   // it only looks quoted
  }
}

// One variant of the text at a time: the blanks in quotes belong to a value.
const one_variant = /[^ =]*(?:='[^']*'|="(?:\\.|[^"\\])*"|[^ ]*)/gs;

/// The variants of a text of the ledger ("build_type=Release ~ipo +mpi"): a map of names to sorted values. Equal texts give one map.
export function parseVariants(text) {
  if (!parsed.has(text)) parsed.set(text, readVariants(text));
  return parsed.get(text);
}

const parsed = new Map();

function readVariants(text) {
  const variants = new Map();
  for (const word of (text.match(one_variant) ?? []).filter(Boolean)) {
    if ('+~-'.includes(word[0])) variants.set(word.slice(1), [word[0] === '+' ? 'true' : 'false']);
    else {
      const equals = word.indexOf('=');
      variants.set(word.slice(0, equals), valuesOf(word.slice(0, equals), unquoted(word.slice(equals + 1))));
    }
  }
  return variants;
}

const isBare = (value) => /^[A-Za-z0-9,/_.-]+$/.test(value);

// With quotes where Spack writes them.
function quoted(value) {
  if (value === '*' || isBare(value)) return value;
  return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
}

/// One variant as Spack spells it: "+mpi", "~mpi", "fabrics=sockets,tcp".
export function variantText(name, values) {
  if (isBoolean(values)) return `${values[0] === 'true' ? '+' : '~'}${name}`;
  return `${name}=${quoted(values.join(','))}`;
}

/// The value of a spec that is asked. In quotes a backslash has a meaning only before a quote, so a value that ends with one has none.
export function quotedValue(value) {
  if (value === '*' || isBare(value) || value.endsWith('\\')) return value;
  return value.includes("'") ? `"${value.replaceAll('"', '\\"')}"` : `'${value}'`;
}
