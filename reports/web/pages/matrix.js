// Packages by stacks as a heat map. Cells that the report of gaps calls missing are marked.
import { count, element, onScroll, show, visible } from '../dom/element.js';
import { button, code, later, muted, onPaper, pageTitle } from '../dom/parts.js';
import { ask, groupBy, objects } from '../data/ask.js';
import { reports } from '../data/site.js';
import { address, here, remember } from '../shell/address.js';
import { moveByKeys } from '../table/keys.js';
import { plain, sortState } from '../table/order.js';
import { cutOnPaper } from '../table/rows.js';
import { filteredPackage } from '../table/selection.js';
import { csvButtons } from '../table/table.js';

// The heat map: only the cells in view are in the document, down and across.

/// The size of a cell on a screen, as in styles/table.css.
const cell = { width: 38, height: 26 };
const levels = 9;

/// The level of a number, 1 to 9: equal steps of its logarithm up to the greatest.
const levelOf = (value, most) => Math.max(1, Math.ceil(levels * Math.log1p(value) / Math.log1p(most)));

const leftOf = (column) => `left:calc(var(--head-width) + ${column - 1} * var(--cell))`;

/// The elements of a row with the columns from `first` to before `last`.
function makeRow([first, last]) {
  const columns = Array.from({ length: last - first }, (_, index) => first + index);
  return element('div', { class: 'heat-row', role: 'row' },
    element('div', { class: 'heat-name', role: 'rowheader', 'aria-colindex': 1 }, element('a', { tabindex: -1 })),
    columns.map((column) => element('div', { role: 'gridcell', tabindex: -1, 'aria-colindex': column + 1, style: leftOf(column) },
      element('a', { tabindex: -1 }))));
}

/// Puts a row of the map's matrix into these elements.
function fillRow(row, index, [first, last], map) {
  const values = map.matrix.rows[index];
  row.style.transform = `translateY(${index * cell.height}px)`;
  row.ariaRowIndex = index + 2;
  const name = row.firstChild.firstChild;
  name.textContent = visible(values[0]);
  name.href = address('package', values[0]);
  let place = row.firstChild;
  for (let column = first; column < last; ++column) {
    place = place.nextSibling;
    fillCell(place, values[0], map.matrix.columns[column], values[column], map);
  }
}

function fillCell(place, name, column, value, { most, marked, open }) {
  const mark = marked(name, column) ? ' gap' : '';
  place.className = value ? `heat-cell l${levelOf(value, most)}${mark}` : `heat-cell${mark}`;
  place.ariaLabel = value ? null : mark ? '0, a gap' : '0';
  place.title = visible(`${name} in ${column}: ${show(value)}`);
  const link = place.firstChild;
  link.hidden = !value;
  link.textContent = value ? show(value) : '';
  if (value) link.href = open(name, column);
  else link.removeAttribute('href');
}

const beyond = 3;
const most_printed = 500;   // rows

/// `matrix` is {columns: [key, ...], rows: [[key, number or null, ...]]} and may be given anew with show(). `marked(row, column)`: whether
/// the cell has a mark. `open(row, column)` gives the address that a cell leads to. `sort(column)` is called for a click on a heading.
class HeatMap {
  constructor({ caption, most, marked, open, sort }) {
    Object.assign(this, { caption, most, marked, open, sort });
    this.shown = new Map();
    this.heading = element('div', { class: 'heat-head', role: 'row', 'aria-rowindex': 1 });
    this.sheet = element('div', { class: 'heat-sheet', role: 'presentation' }, this.heading);
    this.scroller = element('div', { class: 'heat', role: 'grid', 'aria-label': caption }, this.sheet);
    this.cut = element('p', { class: 'cut' });   // stands below it
    onScroll(this.scroller, () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.addKeys();
    onPaper(this.scroller, (is_printing) => this.print(is_printing));
  }

  // On paper all columns are there, and rows up to a limit.
  print(is_printing) {
    this.printing = is_printing;
    this.clear();
    this.draw();
  }

  /// `sorted`: the column by which the rows are sorted, and which way.
  show(matrix, sorted) {
    Object.assign(this, { matrix, sorted });
    const { columns, rows } = matrix;
    this.cut.textContent = cutOnPaper(rows.length, most_printed);
    this.scroller.setAttribute('aria-rowcount', rows.length + 1);
    this.scroller.setAttribute('aria-colcount', columns.length);
    this.scroller.style.setProperty('--rows', rows.length);
    this.scroller.style.setProperty('--columns', columns.length - 1);
    const roomFor = (names) => `${24 + Math.ceil(7.2 * names.reduce((most, name) => Math.max(most, name.length), 6))}px`;
    this.scroller.style.setProperty('--longest-name', roomFor(columns.slice(1)));
    this.scroller.style.setProperty('--longest-row', roomFor(rows.map(([name]) => name)));
    this.head = null;
    this.scroller.scrollTop = 0;
    this.clear();
    this.draw();
  }

  clear() {
    for (const row of this.shown.values()) row.remove();
    this.shown.clear();
    this.across = null;
  }

  measure() {
    const cells = (this.matrix.columns.length - 1) * cell.width;
    this.head = { width: this.sheet.offsetWidth - cells, height: this.heading.offsetHeight };
  }

  draw() {
    if (!this.matrix || !this.scroller.isConnected || this.scroller.clientWidth === 0) return;
    if (!this.head) this.measure();
    const { columns, rows } = this.matrix;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroller;
    if (this.printing) {
      this.across = [1, columns.length];
      this.drawHeading();
      this.drawRows(0, Math.min(rows.length, most_printed));
      return;
    }
    const first = Math.max(1, Math.floor(scrollLeft / cell.width) + 1 - beyond);
    const last = Math.min(columns.length, Math.ceil((scrollLeft + clientWidth - this.head.width) / cell.width) + 1 + beyond);
    if (!this.across || first < this.across[0] || last > this.across[1]) {
      this.clear();
      this.across = [Math.max(1, first - beyond), Math.min(columns.length, last + beyond)];
      this.drawHeading();
    }
    const top = Math.max(0, Math.floor(scrollTop / cell.height) - beyond);
    const end = Math.min(rows.length, Math.ceil((scrollTop + clientHeight - this.head.height) / cell.height) + beyond);
    this.drawRows(top, end);
  }

  drawHeading() {
    const [first, last] = this.across;
    const button = (column) => element('div', {
      class: column === 0 ? 'heat-corner' : 'heat-column', role: 'columnheader', 'aria-colindex': column + 1,
      'aria-sort': sortState(this.sorted, column), style: column === 0 ? null : leftOf(column),
    }, element('button', {
      type: 'button', tabindex: column === 0 ? 0 : -1, onclick: () => this.sort(column),
    }, this.matrix.columns[column]));
    this.heading.replaceChildren(button(0), ...Array.from({ length: last - first }, (_, index) => button(first + index)));
  }

  // A row that scrolls out gives its elements to one that scrolls in: filling is cheaper than making.
  drawRows(top, end) {
    const free = [];
    for (const [index, row] of this.shown) {
      if (index < top || index >= end) {
        free.push(row);
        this.shown.delete(index);
      }
    }
    for (let index = top; index < end; ++index) {
      if (this.shown.has(index)) continue;
      const row = free.pop() ?? this.sheet.appendChild(makeRow(this.across));
      fillRow(row, index, this.across, this);
      this.shown.set(index, row);
    }
    for (const row of free) row.remove();
  }

  addKeys() {
    moveByKeys(this.scroller, {
      scroller: this.scroller,
      size: () => ({ rows: this.matrix.rows.length, columns: this.matrix.columns.length,
        page: Math.floor((this.scroller.clientHeight - this.head.height) / cell.height) - 1 }),
      placeOf: (target) => {
        const place = target.closest('[aria-colindex]');
        return place && [Number(place.closest('[role=row]').ariaRowIndex) - 2, Number(place.ariaColIndex) - 1];
      },
      reach: (row, column) => this.reach(row, column),
      act: () => {},   // a cell that leads on has a link, which takes the keys itself
    });
  }

  reach(row, column) {
    const { scroller, head } = this;
    const into = (at, size, start, room) => Math.max((at + 1) * size - room, Math.min(start, at * size));
    if (row >= 0) scroller.scrollTop = into(row, cell.height, scroller.scrollTop, scroller.clientHeight - head.height);
    if (column > 0) scroller.scrollLeft = into(column - 1, cell.width, scroller.scrollLeft, scroller.clientWidth - head.width);
    this.draw();
    const line = row < 0 ? this.heading : this.shown.get(row);
    return line?.querySelector(`[aria-colindex="${column + 1}"]`);
  }
}

const greatest = (rows) => rows.reduce((most, row) => row.slice(1).reduce((a, b) => Math.max(a, b ?? 0), most), 1);

function asked(rows, gaps, { search, only_gaps, sorted }) {
  const text = search.trim().toLowerCase();
  const chosen = rows.filter((row) => row[0].toLowerCase().includes(text) && (!only_gaps || gaps.has(row[0])));
  if (sorted === null) return chosen;
  const sign = sorted.down ? -1 : 1;
  return chosen.toSorted((a, b) => sign * plain(a[sorted.column], b[sorted.column]));
}

// The address has the name of the column that the rows are sorted by, and whether the greatest come first.
function sortingFrom(given, columns) {
  const column = columns.indexOf(given.get('sort'));
  return column < 0 ? null : { column, down: given.has('down') };
}

const sortingState = (sorted, columns) => ({ sort: sorted && columns[sorted.column], down: sorted?.down ? '1' : null });

// The rows of missing packages, by package.
const missing = (gaps) => groupBy(objects(gaps).filter(({ gap }) => gap === 'missing'), (row) => row.package);

function legend(most) {
  return element('span', { class: 'scale' }, 'Builds: 1 ',
    Array.from({ length: 9 }, (_, level) => element('i', { class: `l${level + 1}` })), ` ${show(most)} `,
    element('i', { class: 'gap' }), ' gap: most sibling stacks have it');
}

function view(matrix, gaps) {
  const marks = missing(gaps);
  const most = greatest(matrix.rows);
  const { given } = here();
  const state = { search: given.get('q') ?? '', only_gaps: given.has('gaps'), sorted: sortingFrom(given, matrix.columns) };
  const number = element('span', { class: 'muted count', 'aria-live': 'polite' });
  let rows = [];
  const map = new HeatMap({
    caption: 'Builds of each package in each stack', most,
    marked: (name, stack) => marks.get(name)?.some((row) => row.stack === stack) ?? false,
    open: (name, stack) => filteredPackage(name, 'stacks', stack),
    sort: (column) => {
      state.sorted = { column, down: state.sorted?.column === column ? !state.sorted.down : column > 0 };
      draw();
    },
  });
  const draw = () => {
    rows = asked(matrix.rows, marks, state);
    const all = count(matrix.rows.length, 'package');
    number.textContent = rows.length === matrix.rows.length ? all : `${show(rows.length)} of ${all}`;
    map.show({ columns: matrix.columns, rows }, state.sorted);
    remember({ q: state.search, gaps: state.only_gaps ? '1' : null, ...sortingState(state.sorted, matrix.columns) });
  };
  const search = element('input', {
    type: 'search', placeholder: 'Search packages', 'aria-label': 'Search packages', value: state.search,
    oninput: (event) => { state.search = event.target.value; draw(); },
  });
  const only = button('Only packages with gaps', () => {
    state.only_gaps = !state.only_gaps;
    only.setAttribute('aria-pressed', String(state.only_gaps));
    draw();
  }, { 'aria-pressed': String(state.only_gaps) });
  draw();
  return [
    element('div', { class: 'bar' }, search, number, element('div', { class: 'actions' }, marks.size > 0 && only,
      csvButtons('packages by stack', matrix, () => ({ columns: matrix.columns, rows }))), muted(legend(most))),
    map.scroller, map.cut,
  ];
}

export function matrix({ at, signal }) {
  const data = Promise.all([ask('coverage/matrix', { at }, signal), ask('coverage/gaps', { at }, signal)]);
  return [
    pageTitle('Packages by stack', code(at), ' · ', reports.get('coverage/matrix').description.split('. ')[0], '.'),
    element('section', { class: 'panel' }, later(data, ([cells, gaps]) =>
      (cells.rows.length > 0 ? view(cells, gaps) : muted('No package is in a stack.')))),
  ];
}
