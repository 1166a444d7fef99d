// The rows of a report as its header says to draw them (reports/engine/catalog/report.hpp, "-- chart:"). The program draws the same.
import { visible } from '../dom/element.js';
import { groupBy, objects, sums } from '../data/ask.js';

const most_series = 8;

/// They keep apart on a light and on a dark background.
const colours = ['#4a7fdc', '#d98a12', '#c9503a', '#1f8f82', '#8a55c8', '#74839a', '#5d8c1f', '#c2528b'];
const causes = new Set(['package', 'version', 'target', 'compiler', 'variants', 'rebuilt', 'copies']);

/// A cause has one colour in all pictures.
export function colourOf(name, place) {
  const cause = name === 'gained_or_lost' ? 'package' : name;
  return causes.has(cause) ? `var(--${cause})` : colours[place % colours.length];
}

/// The unit of a column; without one its name.
export const unitOf = (report, column) => report.units.find((one) => one.column === column)?.unit ?? column;

export function labelOf(row, labels) {
  const texts = labels.map(({ column, none }) => row[column] ?? none).filter((text) => text !== '');
  return texts.length > 0 ? visible(texts.join(', ')) : '–';
}

/// The rows by the values of the column `each`: [[name, rows], ...], those of most rows first. The name of a group that is alone is ''.
export function groupsOf(chart, rows) {
  const has_groups = chart.each !== null && chart.kind !== 'graph';
  const groups = groupBy(rows, (row) => (has_groups ? String(row[chart.each] ?? '') : ''));
  return groups.size === 1 ? [['', [...groups.values()][0]]] : [...groups].sort((a, b) => b[1].length - a[1].length);
}

// Names are without columns that are alike in all rows. At least one stays.
function naming(chart, rows) {
  return chart.parts.filter((column, index) =>
    index === chart.parts.length - 1 || rows.some((row) => row[column] !== rows[0][column]));
}

/// {name, series: [{name, points: [{x, y}], left_out}]} for each panel; the series with the greatest last values come first.
export function panelsOf(chart, data) {
  const rows = objects(data);
  const names = naming(chart, rows);
  const nameOf = (row, column) => (names.length > 0 ? visible(names.map((one) => row[one] ?? '(none)').join(', ')) : column);
  const across = chart.across[0].column;
  const place = chart.kind === 'curve' ? Number : (text) => +new Date(text);
  return groupsOf(chart, rows).map(([name, list]) => {
    const values = list.flatMap((row) => chart.numbers.flatMap(({ column, below }, index) => (row[column] == null ? []
      : [{ name: nameOf(row, column), index, x: place(row[across]), y: below ? -row[column] : row[column] }])));
    const series = [...groupBy(values, (one) => JSON.stringify([one.name, one.index])).values()]
      .map((own) => ({ name: own[0].name, points: own.map(({ x, y }) => ({ x, y })).sort((a, b) => a.x - b.x) }));
    return { name, series: series.sort((a, b) => b.points.at(-1).y - a.points.at(-1).y || (a.name < b.name ? -1 : 1)) };
  });
}

/// The series that are drawn as lines, with colours, and how many are not.
export function greatest({ series }) {
  const shown = series.slice(0, most_series).map((one, index) => ({ ...one, colour: colourOf(one.name, index) }));
  return { shown, left_out: series.length - shown.length };
}

// Of more than 8 names the least are one part.
function partsOf(series) {
  const sizes = sums(series.map(({ name, points }) => ({ name, size: points.reduce((sum, { y }) => sum + Math.abs(y), 0) })), 'name', 'size');
  const names = [...sizes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
  const kept = names.length > most_series ? names.slice(0, most_series - 1) : names;
  const other = `${names.length - kept.length} other`;
  const parts = [...kept, ...(kept.length < names.length ? [other] : [])];
  const owner = (name) => (kept.includes(name) ? name : other);
  return parts.map((name, index) => ({ name, colour: colourOf(name, index), lists: series.filter((one) => owner(one.name) === name) }));
}

/// The parts upon one another: {moments, parts: [{name, colour, spans: [{x, from, to}]}]}. Those below zero hang from it; a part
/// without a value at a moment is 0 there.
export function stack({ series }) {
  const moments = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const edges = { above: new Map(), below: new Map() };
  const parts = partsOf(series).map(({ name, colour, lists }) => {
    const values = { above: new Map(), below: new Map() };
    for (const { x, y } of lists.flatMap(({ points }) => points)) {
      const side = values[y < 0 ? 'below' : 'above'];
      side.set(x, (side.get(x) ?? 0) + y);
    }
    const spans = Object.keys(values).flatMap((side) => moments.map((x) => {
      const from = edges[side].get(x) ?? 0;
      const to = from + (values[side].get(x) ?? 0);
      edges[side].set(x, to);
      return { x, from, to };
    }).filter(({ from, to }) => from !== to || side === 'above'));
    return { name, colour, spans };
  });
  return { moments, parts };
}

/// The first age that at most half outlive, as a point; undefined if more than half outlive the greatest age seen.
export const medianOf = ({ points }) => points.find(({ y }) => y <= 50);
