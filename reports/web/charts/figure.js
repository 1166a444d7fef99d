// A chart with its numbers as a table below it.
import { element, onWidth } from '../dom/element.js';
import { table } from '../table/table.js';
import { movePoints } from './point_keys.js';

/// Screen readers are told the label and the numbers of a picture, not its lines.
export function hideLines(picture) {
  for (const svg of picture.querySelectorAll('svg')) svg.setAttribute('aria-hidden', 'true');
}

/// `draw(width)` gives the picture, which is drawn again when the width changes. `data` is {columns, rows}, or null where another table
/// of the page has the numbers. `points` makes the picture one that the keyboard moves through (point_keys.js).
export function figure(label, draw, data, name, points = null) {
  const picture = element('div', { class: 'picture', role: 'img', 'aria-label': label });
  let chart = null;
  onWidth(picture, (width) => {
    chart = draw(width);
    picture.replaceChildren(chart);
    hideLines(picture);
  });
  return element('figure', { role: 'group', 'aria-label': label }, picture, points && movePoints(picture, () => chart, points),
    data && numbers(name ?? label, data));
}

/// The numbers of a chart, folded. `units` are those of table().
export function numbers(name, data, units) {
  const made = element('details', { class: 'numbers' }, element('summary', {}, 'Numbers'));
  made.addEventListener('toggle', () => {
    if (made.open && made.childElementCount === 1) made.append(table(data, { name, height: 320, units }));
  });
  return made;
}
