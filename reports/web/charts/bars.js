// A bar for each row: a list that can be read without the bars.
import { element } from '../dom/element.js';
import { heading, show } from '../dom/format.js';
import { objects } from '../data/ask.js';
import { numbers } from './figure.js';

const most_bars = 24;

/// `data` is {columns, rows}; `label` and `value` name columns. `link(label)` gives the address of a row, or null. `whole` is what a
/// whole bar stands for; else the greatest value. `all` has the rows of the numbers, where those are more.
export function bars(data, { label, value, name, link = () => null, none = '(none)', whole, all = data }) {
  const rows = objects(data).toSorted((a, b) => b[value] - a[value]);
  const most = whole ?? Math.max(...rows.map((row) => row[value]), 1);
  const bar = (row) => {
    const href = row[label] == null ? null : link(row[label]);
    const details = data.columns.filter((column) => column !== label).map((column) => `${show(row[column])} ${heading(column)}`);
    return element('li', { title: details.join(', ') },
      element(href ? 'a' : 'span', { class: 'label', href }, row[label] ?? none),
      element('span', { class: 'track', 'aria-hidden': 'true' },
        element('span', { style: `width:${100 * row[value] / most}%` })),
      element('span', { class: 'number' }, show(row[value])));
  };
  const [shown, more] = [rows.slice(0, most_bars), rows.slice(most_bars)];
  return [element('ul', { class: 'bars' }, shown.map(bar)),
    more.length > 0 && element('p', { class: 'muted' }, `and ${show(more.length)} more in the numbers`),
    numbers(name, all)];
}
