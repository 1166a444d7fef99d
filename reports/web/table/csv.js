// Tables as CSV (RFC 4180): what is in view, with the values themselves, or with what keeps a spreadsheet from taking a text for a formula.
import { element } from '../dom/element.js';
import { save } from '../dom/save.js';

const isFormula = (value) => typeof value === 'string' && /^[=+\-@\t\r]/.test(value);

// As --guard-formulas does.
const guarded = (value) => (isFormula(value) ? `'${value}` : value);

function field(value) {
  if (value == null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(columns, rows) {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function saveCsv(name, { columns, rows }) {
  save(`${name.replace(/[^\w.@-]+/g, '-')}.csv`, 'text/csv', csvOf(columns, rows));
}

/// The buttons that save a table: `shown()` is what is in view of `data`. The second is there where a spreadsheet would take a text of it for
/// a formula. `caption` is what the table is called where several are near.
export function csvButtons(name, data, shown, caption = '') {
  const button = (label, attributes, onclick) => element('button', {
    type: 'button', class: 'quiet', onclick, 'aria-label': caption !== '' && `${caption} as ${label}`, ...attributes }, label);
  const all = () => saveCsv(name, shown());
  const safe = () => {
    const { columns, rows } = shown();
    saveCsv(name, { columns: columns.map(guarded), rows: rows.map((row) => row.map(guarded)) });
  };
  return [button('CSV', {}, all), [data.columns, ...data.rows].some((row) => row.some(isFormula)) && button('CSV for spreadsheets', {
    title: "Puts a ' before each text that a spreadsheet would take for a formula, as --guard-formulas does",
  }, safe)];
}
