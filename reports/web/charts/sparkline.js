// A line without axes, in a tile.
import { drawn } from '../dom/element.js';

const size = { width: 100, height: 24 };

export function sparkline(values) {
  if (values.length < 3) return null;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (index) => size.width * index / (values.length - 1);
  const y = (value) => (most === least ? size.height / 2 : size.height - 2 - (size.height - 4) * (value - least) / (most - least));
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return drawn('svg', { class: 'sparkline', viewBox: `0 0 ${size.width} ${size.height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawn('polyline', { points }));
}
