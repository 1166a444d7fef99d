// Tables as CSV (RFC 4180): what is in view, with the values themselves.
import { element } from '../dom/element.js';

function field(value) {
  if (value == null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(columns, rows) {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

export function saveCsv(name, columns, rows) {
  const address = URL.createObjectURL(new Blob([csvOf(columns, rows)], { type: 'text/csv' }));
  element('a', { href: address, download: `${name.replace(/[^\w.@-]+/g, '-')}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
