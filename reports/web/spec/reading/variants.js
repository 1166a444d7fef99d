// Variants in the spelling of the ledger (schema/specs/spelling/variants.cpp).

const patch_digits = 7;
const flag_names = new Set(['cflags', 'cppflags', 'cxxflags', 'fflags', 'ldflags', 'ldlibs']);

/// Spack lists compiler flags together with variants. They are none.
export const isCompilerFlag = (name) => flag_names.has(name);

const plain = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

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
