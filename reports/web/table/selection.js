// Which rows and columns of a table are in view, and in what order. Nothing of the document.
import { sortRows } from './order.js';
import { columnKinds, partsOf } from './kinds.js';

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
