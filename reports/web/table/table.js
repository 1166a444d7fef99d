// A table of any size: search, sort, filter by a click on a value, choose columns, CSV. On a phone its rows are cards.
import { count, element, heading, onWidth, show } from '../dom/element.js';
import { button, muted, onPaper, save } from '../dom/parts.js';
import { moveByKeys } from './keys.js';
import { sortState } from './order.js';
import { cutOnPaper, most_printed, row_height, Rows } from './rows.js';
import { partsOf, readState, Selection, textOf, writeState } from './selection.js';

// CSV (RFC 4180): what is in view, with the values themselves, or with what keeps a spreadsheet from taking a text for a formula.
const isFormula = (value) => typeof value === 'string' && /^[=+\-@\t\r]/.test(value);

// As --guard-formulas does.
const guarded = (value) => (isFormula(value) ? `'${value}` : value);

function field(value) {
  if (value == null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function saveCsv(name, { columns, rows }) {
  const text = [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
  save(`${name.replace(/[^\w.@-]+/g, '-')}.csv`, 'text/csv', text);
}

/// The buttons that save a table: `shown()` is what is in view of `data`. The second is there where a spreadsheet would take a text of it for
/// a formula. `caption` is what the table is called where several are near.
export function csvButtons(name, data, shown, caption = '') {
  const saving = (label, ofValue, title) => button(label, () => {
    const { columns, rows } = shown();
    saveCsv(name, { columns: columns.map(ofValue), rows: rows.map((row) => row.map(ofValue)) });
  }, { title, 'aria-label': caption !== '' && `${caption} as ${label}` });
  return [saving('CSV', (value) => value), [data.columns, ...data.rows].some((row) => row.some(isFormula)) &&
    saving('CSV for spreadsheets', guarded, "Puts a ' before each text that a spreadsheet would take for a formula, as --guard-formulas does")];
}

// On a phone a table that is wider than the screen is a list of cards: one row each, its values below one another. The page scrolls, not the
// list, so only some of the cards are in the document until the reader asks for more.
const phone = matchMedia('(max-width: 760px)');
const character = 7.5;   // pixels, about: what a column's width is counted in
const first_cards = 8;
const more_cards = 20;

/// Decides, each time the width changes, between the table and its cards. `width()` is that of the table in characters. Gives the button that
/// shows more, which stands below, and `update`, to be called when the rows or the columns are others.
function addCards(scroller, rows, width) {
  const more = button('', () => {
    rows.cards += more_cards;
    rows.draw();
    tell();
  }, { class: 'quiet more-cards' });
  let room = 0;
  const tell = () => {
    const left = rows.cards === null ? 0 : rows.selection.rows.length - rows.cards;
    more.hidden = left <= 0;
    more.textContent = `Show ${show(Math.min(left, more_cards))} more of ${show(rows.selection.rows.length)}`;
  };
  const update = () => {
    const are_cards = room > 0 && phone.matches && width() * character > room;
    rows.cards = are_cards ? first_cards : null;
    scroller.classList.toggle('cards', are_cards);
    rows.draw();
    tell();
  };
  onWidth(scroller, (now) => {
    room = now;
    update();
  });
  return { more, update };
}

// What stands above a table: search, the number of rows, filters, columns, CSV.
const few = 8;   // rows that need no search

// Escape closes it, a press elsewhere, and the focus elsewhere.
function closeFromOutside(chooser) {
  const pressed = (event) => {
    if (!chooser.contains(event.target)) chooser.open = false;
  };
  chooser.addEventListener('toggle', () => {
    if (chooser.open) document.addEventListener('pointerdown', pressed);
    else document.removeEventListener('pointerdown', pressed);
  });
  chooser.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    chooser.open = false;
    chooser.firstChild.focus();
  });
  chooser.addEventListener('focusout', ({ relatedTarget }) => {
    // A press on a label moves the focus to what is around the chooser: that is not elsewhere.
    if (relatedTarget && !chooser.contains(relatedTarget) && !relatedTarget.contains(chooser)) chooser.open = false;
  });
}

function columnChooser(selection, change) {
  const choices = selection.kinds.map(({ name }) => element('label', {},
    element('input', {
      type: 'checkbox', checked: !selection.hidden.has(name), onchange: (event) => {
        if (event.target.checked) selection.hidden.delete(name);
        else selection.hidden.add(name);
        change();
      },
    }), heading(name)));
  const chooser = element('details', { class: 'chooser' }, element('summary', {}, 'Columns'),
    element('div', { class: 'choices', role: 'group', 'aria-label': 'Columns' }, choices));
  closeFromOutside(chooser);
  return chooser;
}

/// `change` is called after the selection has changed; `inView()` is what of it is shown. Gives {bar, update}.
function toolbar(name, selection, change, inView) {
  const { rows } = selection.table;
  const is_small = rows.length <= few;
  const number = element('span', { class: 'muted count', 'aria-live': 'polite' });
  const search = !is_small && element('input', {
    type: 'search', placeholder: 'Search rows', 'aria-label': `Search rows of ${name}`, value: selection.search,
    oninput: (event) => { selection.search = event.target.value; change(); },
  });
  const common = button('Hide common values', () => { selection.hides_common = !selection.hides_common; change(); },
    { title: 'Take away the columns in which all rows say the same' });
  const chips = element('div', { class: 'chips filters' });
  const chipName = (text) => element('span', { class: 'muted' }, text);
  const update = () => {
    const shown = selection.rows.length;
    number.textContent = shown === rows.length ? count(shown, 'row') : `${show(shown)} of ${count(rows.length, 'row')}`;
    common.setAttribute('aria-pressed', String(selection.hides_common));
    chips.replaceChildren(
      ...selection.filters.map(({ column, value }) => button([chipName(`${heading(column)} = `), value === '' ? '–' : value, ' ×'],
        () => { selection.toggleFilter(column, value); change(); },
        { class: 'chip', title: 'Take this filter away', 'aria-label': `Take away the filter ${column} = ${value}` })),
      ...selection.common.map(({ kind, value }) => element('span', { class: 'chip common' },
        chipName(`all: ${heading(kind.name)} = `), value == null ? '–' : String(value))));
    chips.hidden = chips.childElementCount === 0;
  };
  const bar = element('div', { class: 'bar' }, search, number, element('div', { class: 'actions' },
    !is_small && common, !is_small && selection.kinds.length > 2 && columnChooser(selection, change),
    csvButtons(name, selection.table, inView)), chips);
  return { bar, update };
}

// Other units are part of the name, or what is counted.
const sign = (units, name) => (units.some(({ column, unit }) => column === name && unit === '%') ? ' %' : '');

function headings(selection, sort, units) {
  return selection.columns().map(({ name, numeric }, place) => {
    const label = heading(name) + sign(units, name);
    return element('th', {
      role: 'columnheader', scope: 'col', class: numeric ? 'number' : null, 'aria-sort': sortState(selection.sorting, name),
      'aria-colindex': place + 1, 'data-label': label,
    }, button(label, () => sort(name), { class: null, tabindex: place === 0 ? 0 : -1 }));
  });
}

function sumsOf(selection, totals) {
  const sum = (index) => selection.rows.reduce((so_far, row) => so_far + Number(row[index] ?? 0), 0);
  return element('tfoot', { role: 'rowgroup' }, element('tr', { role: 'row' }, selection.columns().map((kind, place) =>
    element('td', { role: 'gridcell', class: kind.numeric ? 'number' : null, 'data-label': place > 0 && heading(kind.name) },
      totals.includes(kind.name) && kind.numeric ? show(sum(kind.index)) : place === 0 ? 'Total' : ''))));
}

/// Shows {columns, rows}. `name` is unique in the page: it is the caption, the name of the CSV and of its state in the address.
/// `height` in pixels bounds what is in view; `totals` are columns whose sum stands below, `units` those of a report: [{column, unit}].
export function table(data, { name, caption = name, height = 430, totals = [], units = [] }) {
  if (data.missing) return muted(`The ledger has no ${data.missing === 'lock' ? 'snapshot of a lock file' : 'such snapshot'}.`);
  if (data.rows.length === 0) return element('p', { class: 'muted empty' }, 'None.');
  const selection = new Selection(data);
  readState(name, selection);

  const head = element('tr', { role: 'row' });
  const widths = element('colgroup');
  const whole = element('table', { role: 'grid', 'aria-description': keys_help },
    element('caption', { class: 'offscreen' }, caption), widths, element('thead', { role: 'rowgroup' }, head));
  const scroller = element('div', { class: 'scroll', style: `max-height:${height}px` }, whole);
  const rows = new Rows(scroller, selection);
  const cut = element('p', { class: 'cut' });
  whole.append(rows.body);
  const widthOf = () => selection.columns().reduce((sum, { width }) => sum + width + 3.5, 0);
  const cards = addCards(scroller, rows, widthOf);

  const draw = () => {
    const columns = selection.columns();
    widths.replaceChildren(...columns.map(({ width }) => element('col', { style: `width:${width + 3.5}ch` })));
    whole.style.cssText = `width:max(100%, ${widthOf()}ch)`;
    whole.setAttribute('aria-colcount', columns.length);
    head.replaceChildren(...headings(selection, sort, units));
    whole.tFoot?.remove();
    if (totals.length > 0 && selection.rows.length > 1) whole.append(sumsOf(selection, totals));
    scroller.scrollTop = 0;
    whole.setAttribute('aria-rowcount', selection.rows.length + 1);
    cut.textContent = cutOnPaper(selection.rows.length, most_printed);
    rows.reset();
    cards.update();
    update();
  };
  const change = () => {
    selection.update();
    writeState(name, selection);
    draw();
  };
  const sort = (column) => {
    const place = selection.columns().findIndex((kind) => kind.name === column);
    selection.sortBy(column);
    change();
    head.children[place].firstChild.focus({ preventScroll: true });
  };
  const shown = () => ({
    columns: selection.columns().map((kind) => kind.name),
    rows: selection.rows.map((row) => selection.columns().map((kind) => row[kind.index])),
  });
  const { bar, update } = toolbar(caption, selection, change, shown);
  addFilterByClick(whole, selection, change);
  addKeys(whole, scroller, rows, selection, change);
  onPaper(scroller, (is_printing) => rows.print(is_printing));
  draw();
  return element('div', { class: 'grid', 'data-table': name }, bar, scroller, cards.more, cut);
}

const keys_help = 'Arrow keys move from cell to cell. Enter follows a link. Space shows only the rows that have the value of the cell. ' +
  'Tab goes through what a cell holds.';

// Of a cell with a list, `part` says which; without it, the first that is not asked for yet.
function filterBy(selection, change, row, place, part) {
  const kind = selection.columns()[place];
  const parts = partsOf(kind, selection.rows[row][kind.index]);
  const is_asked = (one) => selection.filters.some(({ column, value }) => column === kind.name && value === textOf(one));
  const value = part ?? (parts.length > 1 ? parts.find((one) => !is_asked(one)) : parts[0]);
  if (value === undefined) return;
  selection.toggleFilter(kind.name, value);
  change();
}

function addFilterByClick(whole, selection, change) {
  whole.tBodies[0].addEventListener('click', (event) => {
    const cell = event.target.closest('td[aria-colindex]');
    if (!cell || event.target.closest('a, button') || String(getSelection()) !== '') return;
    filterBy(selection, change, cell.parentElement.ariaRowIndex - 2, cell.ariaColIndex - 1,
      event.target.closest('.part')?.dataset.value);
  });
}

function addKeys(whole, scroller, rows, selection, change) {
  moveByKeys(whole, {
    scroller,
    size: () => ({ rows: rows.reachable(), columns: selection.columns().length,
      page: Math.floor(scroller.clientHeight / row_height) - 2 }),
    placeOf(target) {
      const cell = target.closest('td, th');
      return cell && [cell.tagName === 'TH' ? -1 : cell.parentElement.ariaRowIndex - 2, cell.ariaColIndex - 1];
    },
    reach(row, place) {
      if (row < 0) return whole.tHead.rows[0].children[place];
      const [top, bottom] = [row * row_height, (row + 2) * row_height - scroller.clientHeight];
      scroller.scrollTop = Math.max(bottom, Math.min(scroller.scrollTop, top));
      const cell = rows.cell(row, place);
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      return cell;
    },
    act: (row, place, target) => filterBy(selection, change, row, place, target.closest('.part')?.dataset.value),
  });
}
