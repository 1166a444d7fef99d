// The body of a table: only the rows in view are in the document. Those that stay while the reader scrolls are not touched.
import { element, heading, onScroll, show, showTime, visible } from '../dom/element.js';
import { copyButton, shortHash } from '../dom/parts.js';
import { about } from '../data/site.js';
import { address, stackLink } from '../shell/address.js';
import { partsOf } from './selection.js';

// What stands in a cell. What has a page of its own is a link to it; beside the link the cell filters.
const packages = new Set(about.packages);

const packageLink = (name) => packages.has(name) && address('package', name);
const targetLink = (name) => name !== '' && address('target', name);
const compilerLink = (name) => /^[^@]+@./.test(name) && address('compiler', name);

/// The page of a value, or false, by the name of the column.
const pages = {
  package: packageLink, dependency: packageLink, stack: stackLink, stacks: stackLink, target: targetLink, compiler: compilerLink,
};

const hashCell = (hash) => [
  element('a', { class: 'hash', href: address('build', hash), tabindex: -1 }, shortHash(hash)),
  copyButton('', `/${hash}`, { class: 'copy', tabindex: -1, 'aria-label': `Copy ${shortHash(hash)}…` }),
];

function linked(kind, text) {
  if (kind.hashes) return hashCell(text);
  const href = Object.hasOwn(pages, kind.name) && pages[kind.name](text);
  return href ? element('a', { href, tabindex: -1 }, text) : text;
}

/// The content of a cell, as a list of elements and texts. A part of a list says which it is: a click on it filters by it.
function cellContent(kind, value) {
  if (value == null) return [element('span', { class: 'none' }, '–')];
  if (typeof value !== 'string') return [show(value)];
  if (kind.time) return [showTime(value)];
  if (kind.separator) return partsOf(kind, value).map((part) => element('span', { class: 'part', 'data-value': part }, linked(kind, part)));
  return [linked(kind, value)].flat();
}

export const row_height = 31;
const long_word = /[^\s,]{26}/;   // may be broken on paper
const beyond = 6;               // rows above and below what is in view
export const most_printed = 1000;

/// What stands below a table on paper if rows are left out there.
export const cutOnPaper = (rows, most) => (rows > most ? `The first ${show(most)} of ${show(rows)} rows. CSV has them all.` : '');

export class Rows {
  /// `scroller` is the element that scrolls; `selection` says what is in view.
  constructor(scroller, selection) {
    this.scroller = scroller;
    this.selection = selection;
    this.body = element('tbody', { role: 'rowgroup' });
    this.above = element('tr', { 'aria-hidden': 'true', class: 'pad' }, element('td'));
    this.below = element('tr', { 'aria-hidden': 'true', class: 'pad' }, element('td'));
    this.shown = new Map();
    this.printing = false;
    this.cards = null;       // how many rows are cards (table.js); null: none
    onScroll(scroller, () => this.draw());
  }

  range() {
    const total = this.selection.rows.length;
    if (this.printing) return [0, Math.min(total, most_printed)];
    if (this.cards !== null) return [0, this.reachable()];
    const height = this.scroller.clientHeight || 600;
    const first = Math.max(0, Math.min(total, Math.floor(this.scroller.scrollTop / row_height)) - beyond);
    return [first, Math.min(total, first + Math.ceil(height / row_height) + 2 * beyond)];
  }

  /// The number of rows that can be scrolled to.
  reachable() {
    return Math.min(this.selection.rows.length, this.cards ?? Infinity);
  }

  /// On paper a table has all its rows, up to a limit.
  print(is_printing) {
    this.printing = is_printing;
    this.draw();
  }

  /// Throws the rows away: the columns, the filters or the order are others.
  reset() {
    this.shown.clear();
    this.columns = this.selection.columns();
    this.body.replaceChildren(this.above, this.below);
    this.draw();
  }

  draw() {
    const [first, last] = this.range();
    for (const [index, row] of this.shown) {
      if (index < first || index >= last) {
        row.remove();
        this.shown.delete(index);
      }
    }
    let before = this.above;
    for (let index = first; index < last; ++index) {
      let row = this.shown.get(index);
      if (!row) {
        row = this.make(index);
        this.shown.set(index, row);
        before.after(row);
      }
      before = row;
    }
    this.above.firstChild.style.height = `${first * row_height}px`;
    this.below.firstChild.style.height = `${(this.selection.rows.length - last) * row_height}px`;
    this.above.hidden = first === 0;
    // Below what is cut, on paper and of cards, there is nothing.
    this.below.hidden = last === this.selection.rows.length || this.printing || this.cards !== null;
  }

  make(index) {
    const values = this.selection.rows[index];
    return element('tr', { role: 'row', 'aria-rowindex': index + 2, class: index % 2 ? 'odd' : null },
      this.columns.map((kind, place) => this.makeCell(kind, place, values[kind.index])));
  }

  makeCell(kind, place, value) {
    const filtered = this.selection.filters.some((one) => one.column === kind.name);
    const is_long = typeof value === 'string' && !kind.hashes && long_word.test(value);
    const made = element('td', {
      role: 'gridcell', class: [kind.numeric && 'number', filtered && 'filtered', is_long && 'long'].filter(Boolean).join(' ') || null,
      tabindex: -1, 'aria-colindex': place + 1, 'data-label': heading(kind.name),
    }, cellContent(kind, value));
    if (String(value ?? '').length > 20) made.title = visible(String(value));
    else if (made.querySelector('a')) made.title = `${visible(String(value))}: click beside the link, or press Space, to see only rows that have it`;
    return made;
  }

  /// The cell of a row and column, made if need be.
  cell(index, place) {
    this.draw();
    return this.shown.get(index)?.children[place];
  }
}
