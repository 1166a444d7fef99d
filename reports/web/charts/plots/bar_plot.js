// A bar for each row, of its numbers one behind the other.
import { barX, plot, ruleX, text, tip, pointerY } from '@observablehq/plot';
import { heading } from '../../dom/format.js';
import { colourOf, labelOf } from '../chart_rows.js';
import { inUnit } from './time_plots.js';

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
  const there = bar.parts.filter(({ value }) => value != null && (value !== 0 || bar.parts.length === 1));
  if (!bar.known) return 'not known';
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
        `${heading(column)}: ${value == null ? 'not known' : inUnit(value, unit)}`)].join('\n'),
      fill: 'var(--panel)', stroke: 'var(--line)', textPadding: 10 })),
    ].filter(Boolean),
  });
}

/// What the colours of the parts mean.
export const partLegend = (chart) => (chart.numbers.length < 2 ? [] : chart.numbers.map(({ column }) => ({
  name: heading(column), colour: partColour(chart, column),
})));
