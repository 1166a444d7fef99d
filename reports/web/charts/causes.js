// What was added and what was removed, by cause: two bars of one scale.
import { element } from '../dom/element.js';
import { show } from '../dom/format.js';
import { objects } from '../data/ask.js';
import { sum } from '../data/rows.js';

const wide_enough = 0.1;   // of the longer bar, for a number in it, and for a finger: on a phone this is 24 pixels

/// `summary` is the report drift/summary. `link(cause)` gives the address of a cause's specs.
export function causes(summary, link) {
  const rows = objects(summary);
  const total = (change) => sum(rows, change);
  const longest = Math.max(total('added'), total('removed'), 1);
  const part = (row, change) => {
    const [is_wide, words] = [row[change] / longest > wide_enough, `${row.cause}: ${show(row[change])} ${change}`];
    const bar = { class: `cause ${row.cause}`, style: `flex:${row[change]}`, title: words };
    return is_wide ? element('a', { ...bar, href: link(row.cause), 'aria-label': words }, show(row[change])) : element('span', bar);
  };
  const line = (change, sign) => element('div', { class: 'stack' },
    element('span', { class: 'label' }, element('b', {}, `${total(change) > 0 ? sign : ''}${show(total(change))}`), ` ${change}`),
    element('span', { class: 'stacked' }, element('span', { style: `width:${100 * total(change) / longest}%` },
      rows.filter((row) => row[change] > 0).map((row) => part(row, change)))));
  return element('div', { class: 'causes' }, line('added', '+'), line('removed', '−'),
    element('ul', { class: 'legend' }, rows.filter((row) => row.added + row.removed > 0)
      .map((row) => element('li', {}, element('i', { class: `cause ${row.cause}`, 'aria-hidden': 'true' }),
        element('a', { href: link(row.cause) }, row.cause)))));
}
