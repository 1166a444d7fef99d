// Charts as SVG: over time and the curve of survival, a bar for each row, and a graph in layers.
import { areaY, barX, dot, lineY, plot, pointerX, pointerY, rectY, ruleX, ruleY, text, tip } from '@observablehq/plot';
import { drawn, heading, show } from '../dom/element.js';
import { groupBy, objects } from '../data/ask.js';
import { colourOf, greatest, labelOf, medianOf, stack } from './chart_rows.js';

export const box = { fill: 'var(--panel)', stroke: 'var(--line)', textPadding: 10 };
export const pointer_line = { stroke: 'var(--soft)', strokeOpacity: 0.5 };
export const many_points = 120;   // more dots would be a line
const day = 864e5;

/// A number with its unit: "1.2 GB" of bytes, "50 %".
export function inUnit(value, unit) {
  if (unit === 'bytes') {
    const names = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
    const power = Math.min(Math.max(Math.floor(Math.log10(Math.abs(value) || 1) / 3), 0), names.length - 1);
    return `${show(Math.round(value / 10 ** (3 * power - 1)) / 10)} ${names[power]}`;
  }
  return unit === '%' ? `${show(value)} %` : show(value);
}

const dayOf = (moment) => new Date(moment).toISOString().replace('T', ' ').replace(/ 00:00:00.000Z$|:\d\d\.000Z$/, '');

// The axis of values: whole numbers only, because there are no halves of builds.
function valueAxis(unit, domain) {
  return { label: null, grid: true, domain, ticks: 5, tickFormat: (value) => (unit === '%' || unit === 'bytes' || Number.isInteger(value)
    ? inUnit(Math.abs(value), unit) : '') };
}

function frame(width, unit, heights, x, marks) {
  const longest = Math.max(...heights.map((value) => inUnit(Math.round(value), unit).length));
  return plot({
    width, height: 240, marginLeft: Math.max(44, 16 + 7 * longest), marginRight: 16, marginTop: 12, marginBottom: 30,
    x: { label: null, ticks: Math.max(2, Math.floor(width / 110)), ...x }, y: valueAxis(unit, heights), marks: marks.filter(Boolean),
  });
}

const utc = (first, last) => ({ type: 'utc', domain: [new Date(first), new Date(last)] });

// What all series say at each moment.
function told(series, unit, where) {
  const points = series.flatMap(({ name, points: own }) => own.map((point) => ({ ...point, name })));
  return [...groupBy(points, ({ x }) => x)].map(([x, list]) => ({
    x, y: Math.max(...list.map(({ y }) => y)),
    words: [where(x), ...list.map(({ name, y }) => `${name}: ${y < 0 ? '−' : ''}${inUnit(Math.abs(y), unit)}`)].join('\n'),
  }));
}

const pointed = (rows, date) => [
  ruleX(rows, pointerX({ x: date, ...pointer_line })),
  tip(rows, pointerX({ x: date, y: 'y', title: 'words', ...box })),
];

const at = (row) => new Date(row.x);

function lines(panel, width, unit) {
  const { shown } = greatest(panel);
  const points = shown.flatMap(({ name, colour, points: list }) => list.map((point) => ({ ...point, name, colour })));
  const [first, last] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  return frame(width, unit, [0, Math.max(1, ...points.map(({ y }) => y))], utc(first, last === first ? last + day : last), [
    ruleY([0], { stroke: 'var(--soft)' }),
    ...shown.map(({ points: list, colour }) => lineY(list, { x: at, y: 'y', curve: 'step-after', stroke: colour, strokeWidth: 2 })),
    points.length <= many_points && dot(points, { x: at, y: 'y', fill: 'colour', r: 2.5 }),
    ...pointed(told(shown, unit, dayOf), at),
  ]);
}

function heightsOf(parts) {
  const edges = parts.flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to]));
  return [Math.min(0, ...edges), Math.max(1, ...edges)];
}

// The newest snapshot has no next one: its step is as long as a twentieth of the whole.
function areas(panel, width, unit) {
  const { moments, parts } = stack(panel);
  const [first, last] = [moments[0], moments.at(-1)];
  const end = last + Math.max((last - first) * 0.05, day / 24);
  const mark = ({ spans, colour }) => areaY([...spans, { ...spans.at(-1), x: end }],
    { x: at, y1: 'from', y2: 'to', curve: 'step-after', fill: colour });
  return frame(width, unit, heightsOf(parts), utc(first, end), [
    ...parts.map(mark), ruleY([0], { stroke: 'var(--soft)' }), ...pointed(told(panel.series, unit, dayOf), at),
  ]);
}

function columns(panel, width, unit) {
  const { moments, parts } = stack(panel);
  const steps = moments.slice(1).map((moment, index) => moment - moments[index]);
  const whole = moments.length > 1 ? moments.at(-1) - moments[0] : day;
  const half = Math.min(Math.max(Math.min(...steps, whole) * 0.4, whole / width * 0.7), whole / 20);
  const room = moments.length > 1 ? half : day;   // one bar alone is no wall
  const mark = ({ spans, colour }) => rectY(spans.filter(({ from, to }) => from !== to), {
    x1: ({ x }) => x - half, x2: ({ x }) => x + half, y1: 'from', y2: 'to', fill: colour,
  });
  const rows = told(panel.series.filter(({ points }) => points.length > 0), unit, dayOf);
  return frame(width, unit, heightsOf(parts), utc(moments[0] - room, moments.at(-1) + room), [
    ...parts.map(mark), ruleY([0], { stroke: 'var(--soft)' }), tip(rows, pointerX({ x: at, y: 'y', title: 'words', ...box })),
  ]);
}

function curve(panel, width, unit, across) {
  const { shown } = greatest(panel);
  const last = Math.max(1, ...shown.flatMap(({ points }) => points.map(({ x }) => x)));
  const medians = shown.map((one) => ({ ...medianOf(one), colour: one.colour })).filter(({ x }) => x !== undefined);
  const label = ({ x }) => `${show(x)} ${across}`;
  return frame(width, unit, [0, 100], { type: 'linear', domain: [0, last], tickFormat: (value) => show(value), label: across }, [
    ruleY([0], { stroke: 'var(--soft)' }), ruleY([50], { stroke: 'var(--soft)', strokeDasharray: '3 4' }),
    ...shown.map(({ points, colour }) => lineY(points, { x: 'x', y: 'y', curve: 'step-after', stroke: colour, strokeWidth: 2 })),
    ruleX(medians, { x: 'x', y1: 0, y2: 50, stroke: 'colour' }), dot(medians, { x: 'x', y: 50, fill: 'colour', r: 4 }),
    text(medians, { x: 'x', y: 50, text: label, dy: -10, dx: 6, textAnchor: 'start', fill: 'var(--text)', stroke: 'var(--panel)', fontSize: 12 }),
    ...pointed(told(shown, unit, (x) => label({ x })), 'x'),
  ]);
}

/// By the kinds of charts: each gives the SVG of a panel.
export const time_plots = { lines, areas, columns, curve };

const most_bars = 24;
const letter = 6.7;   // the mean width of a letter of 12 pixels

const signOf = (chart, below) => (!chart.numbers.some((one) => one.below) ? '' : below ? '−' : '+');

/// [{label, parts: [{column, value}], known, size}] of the rows that are drawn, and how many are not: in their order; of more than 24
/// the greatest, in the order of their size.
export function barsOf(chart, rows) {
  const bars = rows.map((row, place) => {
    const parts = chart.numbers.map(({ column, below }) => ({ column, below, value: row[column] }));
    return { label: labelOf(row, chart.across), place, parts, known: parts.some(({ value }) => value != null),
      size: parts.reduce((sum, { value }) => sum + Math.abs(value ?? 0), 0) };
  });
  const shown = bars.length > most_bars ? bars.toSorted((a, b) => b.size - a.size).slice(0, most_bars) : bars;
  return { shown, left_out: bars.length - shown.length };
}

/// What stands beside a bar: "+223 −51", "1.2 GB", "not known".
export function numbersOf(chart, bar, unit) {
  if (!bar.known) return 'not known';
  const there = bar.parts.filter(({ value }) => value != null && (value !== 0 || bar.parts.length === 1));
  const signed = chart.numbers.some(({ below }) => below);
  return there.map(({ value, below }) => `${signOf(chart, below)}${inUnit(value, unit)}`).join(signed ? ' ' : ' + ') || '0';
}

// What was added and what was removed have the colours that they have elsewhere.
function partColour({ numbers }, column) {
  if (numbers.length === 1) return 'var(--bar)';
  const place = numbers.findIndex((one) => one.column === column);
  if (numbers.some(({ below }) => below)) return numbers[place].below ? 'var(--bad)' : 'var(--good)';
  return colourOf(column, place);
}

function spansOf(chart, bars) {
  return bars.flatMap((bar) => {
    const edge = { above: 0, below: 0 };
    return bar.parts.filter(({ value }) => value).map(({ column, below, value }) => {
      const side = below ? 'below' : 'above';
      const from = edge[side];
      edge[side] += below ? -value : value;
      return { place: bar.place, from, to: edge[side], colour: partColour(chart, column) };
    });
  });
}

/// The SVG of the rows. Where labels and numbers would leave no room for the bars, they stand above them.
export function barPlot(chart, rows, width, unit) {
  const { shown } = barsOf(chart, rows);
  const spans = spansOf(chart, shown);
  const saidOf = (bar) => numbersOf(chart, bar, unit);
  const widest = (textOf) => Math.max(...shown.map((bar) => textOf(bar).length)) * letter;
  const [labels, numbers] = [widest(({ label }) => label), widest(saidOf) + 12];
  const above = labels > width * 0.42 || labels + numbers > width * 0.75;
  const labelText = above ? (bar) => `${bar.label}: ${saidOf(bar)}` : 'label';
  const longest = above ? widest(labelText) : labels;
  const lines = above ? Math.ceil(longest / (width - 8)) : 0;
  const edges = spans.flatMap(({ from, to }) => [from, to]);
  const domain = [Math.min(0, ...edges), Math.max(0, ...edges)];
  const label = above
    ? { frameAnchor: 'left', textAnchor: 'start', lineAnchor: 'bottom', dy: 6.5 * lines - 8, lineWidth: (width - 8) / 12.5 }
    : { frameAnchor: 'left', textAnchor: 'end', dx: -8 };
  const inset = above ? { insetTop: 4 + lines * 14, insetBottom: 2 } : { insetTop: 3, insetBottom: 3 };
  return plot({
    width, height: shown.length * (above ? 20 + lines * 15 : 24) + 6, marginTop: 2, marginBottom: 4,
    marginLeft: above ? 2 : longest + 14, marginRight: above ? 2 : numbers, x: { axis: null, domain: domain[0] === domain[1] ? [0, 1] : domain },
    y: { axis: null, type: 'band', domain: shown.map(({ place }) => place), padding: 0 },
    marks: [
      barX(spans, { y: 'place', x1: 'from', x2: 'to', fill: 'colour', ...inset }),
      domain[0] < 0 && ruleX([0], { stroke: 'var(--soft)' }),
      text(shown, { y: 'place', text: labelText, fill: 'var(--text)', fontSize: 12, ...label }),
      !above && text(shown, { y: 'place', text: saidOf, frameAnchor: 'right', textAnchor: 'start', dx: 8, fill: 'var(--text)', fontSize: 12 }),
      tip(shown, pointerY({ y: 'place', frameAnchor: 'middle', title: (bar) => [bar.label, ...bar.parts.map(({ column, value }) =>
        `${heading(column)}: ${value == null ? 'not known' : inUnit(value, unit)}`)].join('\n'), ...box })),
    ].filter(Boolean),
  });
}

/// What the colours of the parts mean.
export const partLegend = (chart) => (chart.numbers.length < 2 ? [] : chart.numbers.map(({ column }) => ({
  name: heading(column), colour: partColour(chart, column),
})));

const most_nodes = 12;   // of a layer
const [line_height, gap, between, wide_letter] = [16, 9, 64, 7.6];

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

const textAt = (x, y, attributes, text) => drawn('text', { x, y, fill: 'var(--text)', 'font-size': 12, ...attributes }, text);

/// The SVG. `link(name)` gives the address of a node, or null.
export function graphPlot(chart, data, link = () => null) {
  const [edges, nodes] = [[], []];
  let [x, height, before] = [12, 0, new Map()];
  for (const [place, { nodes: list, left_out }] of layersOf(chart, data).entries()) {
    let [y, widest, here] = [4, 0, new Map()];
    for (const { name, size, remarks, needs } of list) {
      const texts = [`${name} ${show(size)}`, ...remarks];
      const middle = y + line_height - 4;
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
      const words = texts.map((text, index) => textAt(x + 9, y + line_height * (index + 1),
        index === 0 ? { 'font-weight': 600 } : { fill: 'var(--soft)' }, text));
      const href = link(name);
      nodes.push(drawn('circle', { cx: x, cy: middle, r: 4.5, fill: place === 0 ? 'var(--target)' : 'var(--bar)' }),
        href ? [drawn('a', { href }, words[0]), words.slice(1)] : words);
      here.set(name, { end: x + 14 + wide_letter * texts[0].length, y: middle });
      widest = Math.max(widest, ...texts.map((text) => 12 + wide_letter * text.length));
      y += line_height * texts.length + gap;
    }
    if (left_out > 0) {
      nodes.push(textAt(x + 9, y + line_height, { fill: 'var(--soft)' }, `${show(left_out)} more in the numbers`));
      y += line_height + gap;
      widest = Math.max(widest, 150);
    }
    height = Math.max(height, y + 4);
    x += widest + between;
    before = here;
  }
  return drawn('svg', { width: x - between + 8, height, viewBox: `0 0 ${x - between + 8} ${height}` }, edges, nodes);
}
