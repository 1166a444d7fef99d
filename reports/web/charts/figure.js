// Charts without a library, a chart with its numbers as a table below it, and a chart that is read with the keyboard.
import { drawn, element, heading, onWidth, show } from '../dom/element.js';
import { later, muted, onFirstOpen, panel } from '../dom/parts.js';
import { objects, sum } from '../data/ask.js';
import { address } from '../shell/address.js';
import { table } from '../table/table.js';

// The keyboard moves the tip of a chart from point to point; Enter leads on, Escape takes the tip away.
const key_steps = {
  ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, ArrowUp: (at) => at + 1, ArrowDown: (at) => at - 1, Home: () => 0, End: () => Infinity,
};

// A plot with a legend is a figure around its picture.
const pictureOf = (chart) => (chart.matches('svg') ? chart : [...chart.querySelectorAll('svg')].at(-1));

/// `picture` holds a chart of Plot with a pointer; `chart()` gives the one that is drawn now. `points(chart)` are its points as
/// {x, y, text}, in pixels and in the order of the arrows. Gives the element that tells screen readers of the point; it stands beside.
function movePoints(picture, chart, points) {
  const told = element('p', { class: 'offscreen', 'aria-live': 'polite' });
  let at = -1;
  picture.tabIndex = 0;
  picture.setAttribute('role', 'application');   // with another role screen readers keep the arrows to themselves
  picture.setAttribute('aria-roledescription', 'chart');
  picture.setAttribute('aria-description', 'Arrow keys go from point to point, Enter leads on');
  const send = (name, point) => {
    const svg = pictureOf(chart());
    const { left, top } = svg.getBoundingClientRect();
    svg.dispatchEvent(new PointerEvent(name, { pointerType: 'mouse', clientX: left + point.x, clientY: top + point.y }));
  };
  picture.addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const all = points(chart());
    if (event.key in key_steps) {
      event.preventDefault();
      at = Math.max(0, Math.min(key_steps[event.key](at), all.length - 1));
      send('pointermove', all[at]);
      told.textContent = all[at].text;
    } else if (event.key === 'Enter' && all[at]) {
      chart().dispatchEvent(new MouseEvent('click'));
    } else if (event.key === 'Escape' && all[at]) {
      send('pointerleave', all[at]);
      told.textContent = '';
    }
  });
  return told;
}

/// The place of a picture, which is drawn again when the width changes. Screen readers are told the label and the numbers of an image, not
/// its lines.
export function drawing(attributes, draw) {
  const place = element('div', attributes);
  onWidth(place, (width) => {
    place.replaceChildren(draw(width));
    if (attributes.role === 'img') for (const svg of place.querySelectorAll('svg')) svg.setAttribute('aria-hidden', 'true');
  });
  return place;
}

/// `draw(width)` gives the picture, which is drawn again when the width changes. `data` is {columns, rows}, or null where another table
/// of the page has the numbers. `points` makes the picture one that the keyboard moves through (movePoints).
export function figure(label, draw, data, name, points = null) {
  let chart = null;
  const picture = drawing({ class: 'picture', role: 'img', 'aria-label': label }, (width) => (chart = draw(width)));
  return element('figure', { role: 'group', 'aria-label': label }, picture, points && movePoints(picture, () => chart, points),
    data && numbers(name ?? label, data));
}

/// The numbers of a chart, folded. `units` are those of table().
export function numbers(name, data, units) {
  const made = element('details', { class: 'numbers' }, element('summary', {}, 'Numbers'));
  return onFirstOpen(made, () => table(data, { name, height: 320, units }));
}

const most_bars = 24;

/// A bar for each row: a list that can be read without the bars. `data` is {columns, rows}; `label` and `value` name columns.
/// `link(label)` gives the address of a row, or null. `whole` is what a whole bar stands for; else the greatest value. `all` has the rows of
/// the numbers, where those are more.
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
    more.length > 0 && muted(`and ${show(more.length)} more in the numbers`),
    numbers(name, all)];
}

/// A panel with the bars of rows that are to come. `settings`: those of bars(), where they are others.
export const barPanel = (title, label, data, settings) => panel(title, null, later(data, (rows) =>
  bars(rows, { label, value: 'specs', name: title.toLowerCase(), link: (one) => address(label, one), ...settings })));

const wide_enough = 0.1;   // of the longer bar, for a number in it, and for a finger: on a phone this is 24 pixels

/// What was added and what was removed, by cause: two bars of one scale. `summary` is the report drift/summary for
/// `pair`: {from, to, stack}. A cause leads to its builds.
export function causes(summary, pair) {
  const rows = objects(summary);
  const link = (cause) => address('report', 'drift/specs', { ...pair, cause });
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

/// A line without axes, in a tile.
export function sparkline(values) {
  if (values.length < 3) return null;
  const [width, height] = [100, 24];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (index) => width * index / (values.length - 1);
  const y = (value) => (most === least ? height / 2 : height - 2 - (height - 4) * (value - least) / (most - least));
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return drawn('svg', { class: 'sparkline', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawn('polyline', { points }));
}
