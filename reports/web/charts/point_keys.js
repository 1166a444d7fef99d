// A chart that is read with the keyboard: arrows move its tip from point to point, Enter leads on, Escape takes the tip away.
import { element } from '../dom/element.js';

const steps = {
  ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, ArrowUp: (at) => at + 1, ArrowDown: (at) => at - 1, Home: () => 0, End: () => Infinity,
};

// A plot with a legend is a figure around its picture.
const pictureOf = (chart) => (chart.matches('svg') ? chart : [...chart.querySelectorAll('svg')].at(-1));

/// `picture` holds a chart of Plot with a pointer; `chart()` gives the one that is drawn now. `points(chart)` are its points as
/// {x, y, text}, in pixels and in the order of the arrows. Gives the element that tells screen readers of the point; it stands beside.
export function movePoints(picture, chart, points) {
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
    if (event.key in steps) {
      event.preventDefault();
      at = Math.max(0, Math.min(steps[event.key](at), all.length - 1));
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
