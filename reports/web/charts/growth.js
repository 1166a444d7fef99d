// Specs over time, and below what came and went from snapshot to snapshot.
import { areaY, dot, lineY, plot, pointerX, rectY, ruleX, ruleY, tip } from '@observablehq/plot';
import { count, element, show, showTime, visible } from '../dom/element.js';
import { objects } from '../data/ask.js';
import { about, snapshotBefore } from '../data/site.js';
import { address } from '../shell/address.js';
import { figure } from './figure.js';
import { box, many_points, pointer_line } from './plots.js';

const margins = { marginLeft: 58, marginRight: 14 };

// The least time between two moments, in which a bar has room.
function leastStep(moments) {
  const times = [...new Set(moments.map(Number))].sort((a, b) => a - b);
  return Math.min(...times.slice(1).map((time, index) => time - times[index]), (times.at(-1) - times[0]) / 8);
}

// The scale begins at 0 only where that does not flatten the line.
function specDomain(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max((most - least) * 0.2, most * 0.01, 1);   // a change of one build in thousands is no cliff
  return least < most / 2 ? [0, most + room] : [Math.max(0, least - room), most + room];
}

function changeDomain(rows) {
  const most = (column) => Math.max(...rows.map((row) => row[column]), 0);
  return [-most('removed'), Math.max(most('added'), most('removed') > 0 ? 0 : 1)];
}

// There are no halves of specs.
const few = ([least, most]) => Math.max(1, Math.min(4, Math.floor(most - least)));
const whole = (value) => (Number.isInteger(value) ? show(value) : '');

const tipText = (row) => [visible(row.snapshot), count(row.specs, 'build') + (row.packages == null ? '' : `, ${count(row.packages, 'package')}`),
  row.churn == null ? null : `+${show(row.added)} −${show(row.removed)}, ${show(row.churn)} % churn`].filter(Boolean).join('\n');

// A click leads to the drift that ended in the snapshot under the pointer.
function leadsToDrift(chart) {
  chart.addEventListener('click', () => {
    const to = chart.value?.snapshot;
    const from = to && snapshotBefore(to);
    if (from) location.hash = address('drift', '', { from: from.name, to });
  });
  return chart;
}

function specLines(rows, width, domain) {
  const series = new Set(rows.map((row) => row.series)).size;
  const stroke = series > 1 ? (row) => visible(row.series) : 'var(--accent)';
  const heights = specDomain(rows.map((row) => row.specs));
  const step = { x: 'when', y: 'specs', curve: 'step-after' };
  return plot({
    width, height: 200, ...margins, marginTop: 10, marginBottom: 26,
    x: { type: 'utc', label: null, domain, ticks: Math.max(2, Math.floor(width / 110)) },
    y: { label: null, grid: true, domain: heights, tickFormat: whole, ticks: few(heights) },
    color: series > 1 ? { legend: true, scheme: 'observable10' } : {},
    marks: [
      series === 1 && heights[0] === 0 && areaY(rows, { ...step, fill: 'var(--accent)', fillOpacity: 0.1 }),
      lineY(rows, { ...step, z: 'series', stroke, strokeWidth: 2 }),
      rows.length <= many_points && dot(rows, { x: 'when', y: 'specs', fill: stroke, r: 2.5 }),
      ruleX(rows, pointerX({ x: 'when', ...pointer_line })),
      tip(rows, pointerX({ x: 'when', y: 'specs', title: tipText, ...box })),
    ].filter(Boolean),
  });
}

function changeBars(rows, width, domain, room) {
  const changed = rows.filter((row) => row.churn != null);
  const half = Math.max(room * 0.7, (domain[1] - domain[0]) / width * 1.5);
  const bar = (column, sign, fill) => rectY(changed, {
    x1: (row) => +row.when - half, x2: (row) => +row.when + half, y: (row) => sign * row[column], fill,
  });
  const heights = changeDomain(changed);
  return plot({
    width, height: 120, ...margins, marginTop: 14, marginBottom: 8, x: { type: 'utc', axis: null, domain },
    y: { label: null, grid: true, domain: heights, tickFormat: (value) => whole(Math.abs(value)), ticks: few(heights) },
    marks: [
      bar('added', 1, 'var(--good)'), bar('removed', -1, 'var(--bad)'), ruleY([0], { stroke: 'var(--soft)' }),
      tip(changed, pointerX({ x: 'when', y: 'added', title: tipText, ...box })),
    ],
  });
}

// The points of a chart for the keyboard, by time.
const pointsOf = (rows, column) => (chart) => rows.toSorted((a, b) => a.when - b.when).map((row) => (
  { x: chart.scale('x').apply(row.when), y: chart.scale('y').apply(row[column]), text: tipText(row) }));

// Which snapshots are drawn, where that is not all of them.
function whose(rows, only) {
  const drawn = new Set(rows.map((row) => row.series));
  if (only !== null || about.snapshots.every((snapshot) => drawn.has(snapshot.series))) return '';
  return drawn.size === 1 ? ` of the series ${rows[0].series}` : ' of the series that have more than one';
}

/// `data` is the report history/growth, perhaps of one package. `only` is a series to show, or null for all with several
/// snapshots. `with_numbers`: its numbers stand below, folded. Gives null where there is no change to show.
export function growth(data, { only = null, name = 'growth', with_numbers = true } = {}) {
  const all = objects(data).map((row) => ({ ...row, when: new Date(row.taken_at) }));
  const length = (series) => all.filter((row) => row.series === series).length;
  const rows = all.filter((row) => (only === null || row.series === only) && length(row.series) > 1);
  if (rows.length === 0) return null;
  const times = rows.map((row) => +row.when);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.min(leastStep(rows.map((row) => row.when)) / 2, (last - first) / 30);
  const domain = [new Date(first - room), new Date(last + room)];
  const snapshots = `Builds in each snapshot${whose(rows, only)}`;
  const [least] = specDomain(rows.map((row) => row.specs));
  const cut = least > 0 && element('b', { class: 'cut-axis' }, ` The axis begins at ${show(Math.ceil(least))}, not at 0.`);
  const between = `from ${showTime(rows[0].taken_at)} to ${showTime(rows.at(-1).taken_at)}`;
  return [
    element('p', { class: 'key' }, snapshots, cut),
    figure(`${snapshots}, ${between}`, (width) => leadsToDrift(specLines(rows, width, domain)), null, null, pointsOf(rows, 'specs')),
    element('p', { class: 'key' }, element('i', { class: 'good' }), 'added and ', element('i', { class: 'bad' }),
      'removed since the snapshot before'),
    figure(`Builds added and removed in each snapshot, ${between}`,
      (width) => leadsToDrift(changeBars(rows, width, domain, room)), with_numbers ? data : null, name,
      pointsOf(rows.filter((row) => row.churn != null), 'added')),
  ];
}
