// Charts over time, and the curve of survival.
import { areaY, dot, lineY, plot, pointerX, rectY, ruleX, ruleY, text, tip } from '@observablehq/plot';
import { groupBy } from '../../data/rows.js';
import { show } from '../../dom/format.js';
import { greatest, medianOf, stack } from '../chart_rows.js';

const box = { fill: 'var(--panel)', stroke: 'var(--line)', textPadding: 10 };
const many_points = 120;   // more dots would be a line
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
  const signless = (value) => Math.abs(value);
  return { label: null, grid: true, domain, ticks: 5, tickFormat: (value) => (unit === '%' || unit === 'bytes' || Number.isInteger(value)
    ? inUnit(signless(value), unit) : '') };
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
  ruleX(rows, pointerX({ x: date, stroke: 'var(--soft)', strokeOpacity: 0.5 })),
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
