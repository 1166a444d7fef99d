// A table of any size: search, sort, filter by a click on a value, choose columns, CSV. On a phone its rows are cards.
import { element } from '../dom/element.js';
import { heading, show } from '../dom/format.js';
import { onPaper } from '../dom/paper.js';
import { addCards } from './cards.js';
import { moveByKeys } from './keys.js';
import { partsOf } from './kinds.js';
import { cutOnPaper, most_printed, row_height, Rows } from './rows.js';
import { Selection, textOf } from './selection.js';
import { readState, writeState } from './state.js';
import { toolbar } from './toolbar.js';

function sortState(selection, name) {
  if (selection.sorting?.column !== name) return 'none';
  return selection.sorting.down ? 'descending' : 'ascending';
}

// Other units are part of the name, or what is counted.
const sign = (units, name) => (units.some(({ column, unit }) => column === name && unit === '%') ? ' %' : '');

function headings(selection, sort, units) {
  return selection.columns().map((kind, place) => element('th', {
    role: 'columnheader', scope: 'col', class: kind.numeric ? 'number' : null, 'aria-sort': sortState(selection, kind.name), 'aria-colindex': place + 1,
    'data-label': heading(kind.name) + sign(units, kind.name),
  }, element('button', { type: 'button', tabindex: place === 0 ? 0 : -1, onclick: () => sort(kind.name) }, heading(kind.name) + sign(units, kind.name))));
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
  if (data.missing) {
    const wanted = data.missing === 'lock' ? 'snapshot of a lock file' : 'such snapshot';
    return element('p', { class: 'muted' }, `The ledger has no ${wanted}.`);
  }
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
  return element('div', { class: 'grid', 'data-table': name }, bar, scroller, cards.button, cut);
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

