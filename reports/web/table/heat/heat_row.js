// A row of the heat map: its elements, and what stands in them.
import { element } from '../../dom/element.js';
import { show, visible } from '../../dom/format.js';
import { address } from '../../shell/address.js';

/// The size of a cell on a screen, as in styles/heat.css.
export const cell = { width: 38, height: 26 };
const levels = 9;

/// The level of a number, 1 to 9: equal steps of its logarithm up to the greatest.
const levelOf = (value, most) => Math.max(1, Math.ceil(levels * Math.log1p(value) / Math.log1p(most)));

export const leftOf = (column) => `left:calc(var(--head-width) + ${column - 1} * var(--cell))`;

/// The elements of a row with the columns from `first` to before `last`.
export function makeRow([first, last]) {
  const columns = Array.from({ length: last - first }, (_, index) => first + index);
  return element('div', { class: 'heat-row', role: 'row' },
    element('div', { class: 'heat-name', role: 'rowheader', 'aria-colindex': 1 }, element('a', { tabindex: -1 })),
    columns.map((column) => element('div', { role: 'gridcell', tabindex: -1, 'aria-colindex': column + 1, style: leftOf(column) },
      element('a', { tabindex: -1 }))));
}

/// Puts a row of the map's matrix into these elements.
export function fillRow(row, index, [first, last], map) {
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
