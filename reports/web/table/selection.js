// Which rows and columns of a table are in view, and in what order; what its columns hold; and its state in the address.
import { address, here, remember } from '../shell/address.js';
import { sortRows } from './order.js';

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
function columnKinds({ columns, rows }) {
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

/// A filter is {column, value}: the column is exactly the value, or has it among its parts. Several of one column: any of them.
export class Selection {
  constructor(table) {
    this.table = table;
    this.kinds = columnKinds(table);
    this.search = '';
    this.filters = [];
    this.sorting = null;        // {column, down}
    this.hidden = new Set();    // names of columns that the reader took away
    this.hides_common = false;
    this.update();
  }

  kind(column) {
    return this.kinds.find((one) => one.name === column);
  }

  /// After a change of what is asked.
  update() {
    const asked = this.search.trim().toLowerCase();
    let rows = this.table.rows;
    for (const column of new Set(this.filters.map((filter) => filter.column))) {
      const kind = this.kind(column);
      if (!kind) continue;
      const values = new Set(this.filters.filter((one) => one.column === column).map((one) => one.value));
      rows = rows.filter((row) => partsOf(kind, row[kind.index]).some((part) => values.has(textOf(part))));
    }
    if (asked !== '') {
      rows = rows.filter((row) => row.some((value) => value != null && String(value).toLowerCase().includes(asked)));
    }
    this.rows = this.sorting ? this.sorted(rows) : rows;
    this.common = this.hides_common && rows.length > 1 ? this.commonColumns(rows) : [];
  }

  sorted(rows) {
    const kind = this.kind(this.sorting.column);
    return kind ? sortRows(rows, kind, this.sorting.down) : rows;
  }

  // Columns in which all rows in view say the same.
  commonColumns(rows) {
    return this.kinds.filter(({ index }) => rows.every((row) => row[index] === rows[0][index]))
      .map((kind) => ({ kind, value: rows[0][kind.index] }));
  }

  /// The columns in view.
  columns() {
    const common = new Set(this.common.map(({ kind }) => kind.name));
    return this.kinds.filter(({ name }) => !this.hidden.has(name) && !common.has(name));
  }

  sortBy(column) {
    const first_down = this.kind(column).numeric;
    const down = this.sorting?.column === column ? !this.sorting.down : first_down;
    this.sorting = { column, down };
  }

  toggleFilter(column, value) {
    const text = textOf(value);
    const others = this.filters.filter((one) => one.column !== column || one.value !== text);
    this.filters = others.length < this.filters.length ? others : [...this.filters, { column, value: text }];
  }
}

/// A value as filters have it: they come from addresses too.
export const textOf = (value) => (value == null ? '' : String(value));

// What the reader chose, in the address: NAME.q, NAME.sort, NAME.hide, NAME.common and NAME.is (a filter: column=value).

export function readState(name, selection) {
  const { given } = here();
  const words = (key) => given.get(`${name}.${key}`)?.split(',').filter(Boolean) ?? [];
  selection.search = given.get(`${name}.q`) ?? '';
  selection.hidden = new Set(words('hide'));
  selection.hides_common = given.has(`${name}.common`);
  const [column, way] = words('sort');
  if (column && selection.kind(column)) selection.sorting = { column, down: way === 'down' };
  const filters = JSON.parse(safeList(given.get(`${name}.is`)));
  selection.filters = filters.filter((one) => Array.isArray(one) && selection.kind(one[0]))
    .map(([of, value]) => ({ column: of, value: String(value) }));
  selection.update();
}

// An address may be typed by hand.
function safeList(text) {
  try {
    return Array.isArray(JSON.parse(text)) ? text : '[]';
  } catch {
    return '[]';
  }
}

export function writeState(name, selection) {
  const { search, hidden, hides_common, sorting, filters } = selection;
  remember({
    [`${name}.q`]: search,
    [`${name}.hide`]: [...hidden].join(','),
    [`${name}.common`]: hides_common ? '1' : null,
    [`${name}.sort`]: sorting && `${sorting.column},${sorting.down ? 'down' : 'up'}`,
    [`${name}.is`]: filters.length > 0 ? filterState(filters) : null,
  });
}

const filterState = (filters) => JSON.stringify(filters.map(({ column, value }) => [column, value]));

/// The page of a package whose builds are filtered by a value.
export const filteredPackage = (name, column, value) => address('package', name, { 'specs.is': filterState([{ column, value }]) });
