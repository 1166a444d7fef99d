// What a column holds, by its name and its values: how it is drawn, compared and filtered follows from it.

/// Columns whose cells are lists, and what separates their parts.
const separators = {
  stacks: ',', hashes: ',', hashes_before: ',', hashes_after: ',', deptypes: ',', virtuals: ',', variants: ' ',
};

const hash_columns = new Set(['hash', 'dependency_hash', 'build_hash', 'hashes', 'hashes_before', 'hashes_after']);

function isNumeric(rows, index) {
  let any = false;
  for (const row of rows) {
    const value = row[index];
    if (value == null) continue;
    if (typeof value !== 'number' && typeof value !== 'bigint') return false;
    any = true;
  }
  return any;
}

/// {name, index, numeric, separator, hashes, time, width} for each column; the width is in characters.
export function columnKinds({ columns, rows }) {
  return columns.map((name, index) => {
    const numeric = isNumeric(rows, index);
    const kind = {
      name, index, numeric,
      separator: numeric ? null : separators[name] ?? null,
      hashes: hash_columns.has(name),
      time: /^\d{4}-\d\d-\d\dT/.test(rows[0]?.[index] ?? ''),
    };
    return { ...kind, width: widthOf(kind, rows) };
  });
}

const most_characters = 46;
const most_looked_at = 500;
const hash_width = 12;          // eight characters, and the button that copies

function widthOf({ name, index, numeric, hashes, time }, rows) {
  if (name === 'hash') return hash_width;
  if (time) return 17;
  const step = Math.ceil(rows.length / most_looked_at) || 1;
  let longest = name.length;
  for (let row = 0; row < rows.length; row += step) {
    const value = rows[row][index];
    const length = value == null ? 1 : String(value).length + (numeric ? 2 : 0);
    longest = Math.max(longest, hashes ? Math.ceil(length / 33) * hash_width : length);
  }
  return Math.min(longest, most_characters);
}

/// The variants of a spec one by one: blanks inside quotes belong to a value.
export const variantWords = (text) => text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

/// The parts of a value: those of a list, else the value itself.
export function partsOf({ separator }, value) {
  if (!separator || typeof value !== 'string') return [value];
  return separator === ' ' ? variantWords(value) : value.split(separator).filter((part) => part !== '');
}
