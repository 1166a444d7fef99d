// The chart of a report, as its header says it: a title, the picture, what its colours mean, its numbers, and both as files.
import { element, onWidth } from '../dom/element.js';
import { show } from '../dom/format.js';
import { save } from '../dom/save.js';
import { objects } from '../data/ask.js';
import { ofSeries } from '../data/rows.js';
import { reports } from '../data/site.js';
import { csvButtons } from '../table/csv.js';
import { barPlot, barsOf, numbersOf, partLegend } from './plots/bar_plot.js';
import { greatest, groupsOf, medianOf, panelsOf, stack, unitOf } from './chart_rows.js';
import { svgText } from './download.js';
import { hideLines, numbers } from './figure.js';
import { graphPlot, layersOf } from './plots/graph_plot.js';
import { inUnit, time_plots } from './plots/time_plots.js';

const most_panels = 6;

/// {name, words, draw(width), legend: [{name, colour}], left_out} for each panel of a chart.
function barPanels(report, data) {
  const { chart } = report;
  const unit = unitOf(report, chart.numbers[0].column);
  return groupsOf(chart, objects(data)).map(([name, rows], place) => {
    const { shown, left_out } = barsOf(chart, rows);
    return {
      name, unit, left_out, legend: place === 0 ? partLegend(chart) : [], draw: (width) => barPlot(chart, rows, width, unit),
      words: shown.map((bar) => `${bar.label}: ${numbersOf(chart, bar, unit)}`).join('. '),
    };
  });
}

function graphPanels({ chart }, data, { link }) {
  const layers = layersOf(chart, data);
  const words = layers.map(({ nodes }) => nodes.map(({ name, size }) => `${name} ${show(size)}`).join(', ')).join('; above them ');
  return [{ name: '', unit: '', left_out: 0, legend: [], draw: () => graphPlot(chart, data, link), words, scrolls: true }];
}

function survivalWords(one, across) {
  const median = medianOf(one);
  if (one.points.at(-1).x === 0) return `${one.name}: not known yet, because no build whose begin is known has become older`;
  return median ? `${one.name}: half are gone after ${show(median.x)} ${across}` : `${one.name}: more than half outlive the greatest age seen`;
}

function timePanels(report, data) {
  const { chart } = report;
  const [unit, across] = [unitOf(report, chart.numbers[0].column), unitOf(report, chart.across[0].column)];
  const is_stacked = chart.kind === 'areas' || chart.kind === 'columns';
  return panelsOf(chart, data).map((panel) => {
    const { shown, left_out } = is_stacked ? { shown: stack(panel).parts, left_out: 0 } : greatest(panel);
    const name = (one) => (chart.kind === 'curve' ? survivalWords(one, across)
      : chart.kind === 'lines' ? `${one.name} ${inUnit(one.points.at(-1).y, unit)}` : one.name);
    const legend = shown.map((one) => ({ name: name(one), colour: one.colour }));
    // A curve of one age is no line: its words tell all.
    const has_line = chart.kind !== 'curve' || panel.series.some(({ points }) => points.at(-1).x > points[0].x);
    return { name: panel.name, unit, left_out, legend, words: legend.map((one) => one.name).join('. '),
      draw: has_line ? (width) => time_plots[chart.kind](panel, width, unit, across) : null };
  });
}

function legendOf(entries) {
  return entries.length > 0 && element('ul', { class: 'legend' }, entries.map(({ name, colour }) =>
    element('li', {}, element('i', { style: `background:${colour}`, 'aria-hidden': 'true' }), element('span', {}, name))));
}

function panelParts({ name, unit, words, draw, legend, left_out, scrolls }, caption) {
  const label = `${caption}${name && `, ${name}`}: ${words}`;
  const place = element('div', { class: scrolls ? 'picture scrolls' : 'picture', role: scrolls ? 'group' : 'img', 'aria-label': label,
    tabindex: scrolls && 0 });
  if (draw) {
    onWidth(place, (width) => {
      place.replaceChildren(draw(width));
      if (!scrolls) hideLines(place);   // the graph has links
    });
  }
  return [
    (name || (draw && unit)) && element('p', { class: 'key' }, [name, draw && unit].filter(Boolean).join(' · ')), draw && place, legendOf(legend),
    left_out > 0 && element('p', { class: 'muted' }, `${show(left_out)} more in the numbers`),
  ];
}

function files(report, data, figure, caption, words) {
  const name = report.name.replace('/', '-');
  const drawing = () => svgText(caption, words, [...figure.querySelectorAll('.picture > svg, .picture > figure > svg, .key, .legend')]);
  const button = (label, act) => element('button', { type: 'button', class: 'quiet', onclick: act, 'aria-label': `${caption} as ${label}` }, label);
  return element('p', { class: 'files' }, button('SVG', () => save(`${name}.svg`, 'image/svg+xml', drawing())),
    csvButtons(name, data, () => data, caption));
}

const kinds = { bars: barPanels, graph: graphPanels };

/// The figure; null where the report has no chart, or there are no rows. `data`: the rows of the report. `only`: the series to show,
/// where it has several; null for all. `link(name)` gives the address of a node of a graph. `with_numbers`: the table is below, folded.
export function picture(name, data, { only = null, link, with_numbers = true } = {}) {
  const report = reports.get(name);
  const chosen = ofSeries(data, only);
  if (!report.chart || chosen.rows.length === 0) return null;
  const caption = report.caption ?? report.title;
  const panels = (kinds[report.chart.kind] ?? timePanels)(report, chosen, { link });
  const figure = element('figure', { class: 'chart', 'data-report': name },
    element('figcaption', {}, caption), panels.slice(0, most_panels).map((panel) => panelParts(panel, caption)),
    panels.length > most_panels && element('p', { class: 'muted' }, `${show(panels.length - most_panels)} more in the numbers`));
  figure.append(files(report, chosen, figure, caption, panels.map(({ words }) => words).join(' ')));
  if (with_numbers) figure.append(numbers(name.replace('/', '-'), chosen, report.units));
  return figure;
}
