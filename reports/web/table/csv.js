// Tables as CSV (RFC 4180): what is in view, with the values themselves.
import { save } from '../dom/save.js';

function field(value) {
  if (value == null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(columns, rows) {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

export function saveCsv(name, columns, rows) {
  save(`${name.replace(/[^\w.@-]+/g, '-')}.csv`, 'text/csv', csvOf(columns, rows));
}
