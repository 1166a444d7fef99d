// Rows of (row key, column key, value) as a matrix, as the program makes it (reports/engine/run/run_report.hpp).
import { compareColumn } from '../table/order.js';

const isNone = (key) => typeof key === 'string' && key.startsWith('(');

/// `rows`, `columns` and `values` name columns of the table; `absent` stands in cells without a row.
export function pivot(table, { rows, columns, values, absent }) {
  const [row_key, column_key, value] = [rows, columns, values].map((name) => table.columns.indexOf(name));
  const compare = compareColumn(columns);
  const keys = [...new Set(table.rows.map((row) => row[column_key]))];
  keys.sort((a, b) => isNone(a) - isNone(b) || compare(a, b));   // '(no stack)' is last
  const place = new Map(keys.map((key, index) => [key, index + 1]));
  const matrix = new Map();
  for (const row of table.rows) {
    const key = row[row_key];
    if (!matrix.has(key)) matrix.set(key, [key, ...keys.map(() => absent)]);
    matrix.get(key)[place.get(row[column_key])] = row[value];
  }
  return { columns: [rows, ...keys.map((key) => key ?? 'NULL')], rows: [...matrix.values()] };
}
