// The order of values in a column: numbers as numbers, versions and compilers as Spack orders them, other texts by their characters.
// Empty values come first.
import { compilerKey, versionKey } from './version_key.js';

const plain = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const keys = { version: versionKey, compiler: compilerKey };

// A key is made once for each text.
function byKey(keyOf) {
  const known = new Map();
  const key = (text) => {
    if (!known.has(text)) known.set(text, keyOf(text));
    return known.get(text);
  };
  return (a, b) => plain(key(a), key(b));
}

/// The rows in the order of this column, those with equal values as they were. Only its different values are compared: a column of
/// many rows has few, or keys that need no work.
export function sortRows(rows, { name, index }, down) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row[index]);
    if (group) group.push(row);
    else groups.set(row[index], [row]);
  }
  const values = [...groups.keys()].sort(compareColumn(name));
  if (down) values.reverse();
  return values.flatMap((value) => groups.get(value));
}

/// The comparison of values of this column.
export function compareColumn(column) {
  const texts = Object.hasOwn(keys, column) ? byKey(keys[column]) : plain;
  return (a, b) => {
    if (a == null || b == null) return (a != null) - (b != null);
    return typeof a === 'string' && typeof b === 'string' ? texts(a, b) : plain(a, b);
  };
}
