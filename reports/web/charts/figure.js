// A chart with its numbers as a table below it.
import { element, onWidth } from '../dom/element.js';
import { table } from '../table/table.js';

/// `draw(width)` gives the picture, which is drawn again when the width changes. `data` is {columns, rows}, or null where another table
/// of the page has the numbers.
export function figure(label, draw, data, name) {
  const picture = element('div', { class: 'picture', role: 'img', 'aria-label': label });
  onWidth(picture, (width) => picture.replaceChildren(draw(width)));
  return element('figure', { role: 'group', 'aria-label': label }, picture, data && numbers(name ?? label, data));
}

/// The numbers of a chart, folded. `units` are those of table().
export function numbers(name, data, units) {
  const made = element('details', { class: 'numbers' }, element('summary', {}, 'Numbers'));
  made.addEventListener('toggle', () => {
    if (made.open && made.childElementCount === 1) made.append(table(data, { name, height: 320, units }));
  });
  return made;
}
