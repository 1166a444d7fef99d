// What was added and what was removed, by cause: two bars of one scale.
import { element } from '../dom/element.js';
import { show } from '../dom/format.js';
import { objects } from '../data/ask.js';

const wide_enough = 0.05;   // of the longer bar, for a number in it

/// `summary` is the report drift/summary. `link(cause)` gives the address of a cause's specs.
export function causes(summary, link) {
  const rows = objects(summary);
  const total = (change) => rows.reduce((sum, row) => sum + row[change], 0);
  const longest = Math.max(total('added'), total('removed'), 1);
  const part = (row, change) => element('a', {
    class: `cause ${row.cause}`, href: link(row.cause), style: `flex:${row[change]}`, title: `${row.cause}: ${show(row[change])} ${change}`,
    'aria-label': `${row.cause}: ${show(row[change])} ${change}`,
  }, row[change] / longest > wide_enough && show(row[change]));
  const line = (change, sign) => element('div', { class: 'stack' },
    element('span', { class: 'label' }, element('b', {}, `${sign}${show(total(change))}`), ` ${change}`),
    element('span', { class: 'stacked' }, element('span', { style: `width:${100 * total(change) / longest}%` },
      rows.filter((row) => row[change] > 0).map((row) => part(row, change)))));
  return element('div', { class: 'causes' }, line('added', '+'), line('removed', '−'),
    element('ul', { class: 'legend' }, rows.filter((row) => row.added + row.removed > 0)
      .map((row) => element('li', {}, element('i', { class: `cause ${row.cause}`, 'aria-hidden': 'true' }), row.cause))));
}
