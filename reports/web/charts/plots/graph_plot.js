// A graph in layers: what depends on what, the reasons at the left. The report says the layer of each node.
import { drawn } from '../../dom/element.js';
import { show } from '../../dom/format.js';
import { objects } from '../../data/ask.js';
import { labelOf } from '../chart_rows.js';

const most_nodes = 12;   // of a layer
const [line, gap, between, letter] = [16, 9, 64, 7.6];

/// Layers of nodes {name, size, remarks, needs}, in the order of the rows; `left_out` nodes of each are not drawn.
export function layersOf(chart, data) {
  const [{ column: name }, ...others] = chart.across;
  const layers = new Map();
  for (const row of objects(data)) {
    const layer = row[chart.each];
    if (!layers.has(layer)) layers.set(layer, new Map());
    const nodes = layers.get(layer);
    if (!nodes.has(row[name])) nodes.set(row[name], { name: row[name], size: row[chart.numbers[0].column], remarks: [], needs: [] });
    const node = nodes.get(row[name]);
    const remark = labelOf(row, others);
    if (remark !== '–' && !node.remarks.includes(remark)) node.remarks.push(remark);
    if (row[chart.parts[0]] != null) node.needs.push(row[chart.parts[0]]);
  }
  return [...layers].sort(([a], [b]) => a - b).map(([, nodes]) => {
    const all = [...nodes.values()];
    return { nodes: all.slice(0, most_nodes), left_out: Math.max(0, all.length - most_nodes) };
  });
}

const label = (x, y, attributes, text) => drawn('text', { x, y, fill: 'var(--text)', 'font-size': 12, ...attributes }, text);

/// The SVG. `link(name)` gives the address of a node, or null.
export function graphPlot(chart, data, link = () => null) {
  const [edges, nodes] = [[], []];
  let [x, height, before] = [12, 0, new Map()];
  for (const [place, { nodes: list, left_out }] of layersOf(chart, data).entries()) {
    let [y, widest, here] = [4, 0, new Map()];
    for (const { name, size, remarks, needs } of list) {
      const texts = [`${name} ${show(size)}`, ...remarks];
      const middle = y + line - 4;
      for (const need of needs.filter((one) => before.has(one))) {
        const from = before.get(need);
        const [begin, half] = [x - between + 4, x - between / 2];
        if (!from.led) {
          edges.push(drawn('line', { x1: from.end, x2: begin, y1: from.y, y2: from.y, stroke: 'var(--soft)', 'stroke-opacity': 0.45 }));
          from.led = true;
        }
        edges.push(drawn('path', { d: `M${begin},${from.y}C${half},${from.y} ${half},${middle} ${x - 6},${middle}`, fill: 'none',
          stroke: 'var(--soft)', 'stroke-opacity': 0.45 }));
      }
      const words = texts.map((text, index) => label(x + 9, y + line * (index + 1),
        index === 0 ? { 'font-weight': 600 } : { fill: 'var(--soft)' }, text));
      const href = link(name);
      nodes.push(drawn('circle', { cx: x, cy: middle, r: 4.5, fill: place === 0 ? 'var(--target)' : 'var(--bar)' }),
        href ? [drawn('a', { href }, words[0]), words.slice(1)] : words);
      here.set(name, { end: x + 14 + letter * texts[0].length, y: middle });
      widest = Math.max(widest, ...texts.map((text) => 12 + letter * text.length));
      y += line * texts.length + gap;
    }
    if (left_out > 0) {
      nodes.push(label(x + 9, y + line, { fill: 'var(--soft)' }, `${show(left_out)} more in the numbers`));
      y += line + gap;
      widest = Math.max(widest, 150);
    }
    height = Math.max(height, y + 4);
    x += widest + between;
    before = here;
  }
  return drawn('svg', { width: x - between + 8, height, viewBox: `0 0 ${x - between + 8} ${height}` }, edges, nodes);
}
