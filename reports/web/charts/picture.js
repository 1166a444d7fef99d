// The chart of a report, as its header says it: a title, the picture, what its colours mean, its numbers, and both as files.
import { drawn, element, show } from '../dom/element.js';
import { button, muted, save } from '../dom/parts.js';
import { objects, ofSeries } from '../data/ask.js';
import { reports } from '../data/site.js';
import { greatest, groupsOf, medianOf, panelsOf, stack, unitOf } from './chart_rows.js';
import { drawing, numbers } from './figure.js';
import { barPlot, barsOf, graphPlot, inUnit, layersOf, numbersOf, partLegend, time_plots } from './plots.js';
import { csvButtons } from '../table/table.js';

const styles = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'font-size', 'font-weight',
  'text-anchor', 'paint-order', 'stroke-linejoin'];

// The copy says itself what the page's style sheets say of the original.
function inlined(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll('*')]);
  from.forEach((original, index) => {
    const made = to[index];
    if (original.tagName === 'style' || original.getAttribute('aria-label') === 'tip') return;
    const said = getComputedStyle(original);
    if (original !== svg) for (const name of styles) made.setAttribute(name, said.getPropertyValue(name));
    made.removeAttribute('class');
    made.removeAttribute('style');
  });
  copy.querySelectorAll('style, [aria-label="tip"]').forEach((one) => one.remove());
  copy.querySelectorAll('a').forEach((link) => link.replaceWith(...link.childNodes));
  return copy;
}

const textColour = () => getComputedStyle(document.body).color;

function textLine(text, y, size, weight) {
  return drawn('text', { x: 12, y, 'font-size': size, 'font-weight': weight, fill: textColour() }, text);
}

/// The text of the file. `parts` are elements of the figure in their order: SVG is drawn, of others the text is written.
function svgText(title, description, parts) {
  let [y, width] = [28, 320];
  const content = [textLine(title, y, 15, 600)];
  y += 10;
  for (const part of parts) {
    if (part instanceof SVGElement) {
      const copy = inlined(part);
      const { width: wide, height } = part.getBoundingClientRect();
      for (const [name, value] of Object.entries({ x: 0, y, width: wide, height })) copy.setAttribute(name, value);
      content.push(copy);
      y += height + 8;
      width = Math.max(width, wide);
    } else if (part.matches('.legend')) {
      for (const entry of part.children) {
        y += 18;
        content.push(drawn('circle', { cx: 18, cy: y - 4, r: 5, fill: getComputedStyle(entry.firstChild).backgroundColor }),
          textLine(entry.textContent, y, 12, 400));
        content.at(-1).setAttribute('x', 30);
      }
      y += 12;
    } else {
      y += 18;
      content.push(textLine(part.textContent, y, 13, 400));
      y += 6;
    }
  }
  const whole = drawn('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${y + 8}`, width, height: y + 8,
    'font-family': 'system-ui, sans-serif' }, drawn('title', {}, title), drawn('desc', {}, description),
  drawn('rect', { width, height: y + 8, fill: getComputedStyle(document.querySelector('.panel') ?? document.body).backgroundColor }), content);
  return new XMLSerializer().serializeToString(whole);
}

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
  // The graph has links: it is no image.
  const attributes = scrolls ? { class: 'picture scrolls', role: 'group', tabindex: 0 } : { class: 'picture', role: 'img' };
  return [
    (name || (draw && unit)) && element('p', { class: 'key' }, [name, draw && unit].filter(Boolean).join(' · ')),
    draw && drawing({ ...attributes, 'aria-label': label }, draw), legendOf(legend),
    left_out > 0 && muted(`${show(left_out)} more in the numbers`),
  ];
}

function files(report, data, figure, caption, words) {
  const name = report.name.replace('/', '-');
  const text = () => svgText(caption, words, [...figure.querySelectorAll('.picture > svg, .picture > figure > svg, .key, .legend')]);
  return element('p', { class: 'files' }, button('SVG', () => save(`${name}.svg`, 'image/svg+xml', text()), { 'aria-label': `${caption} as SVG` }),
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
    panels.length > most_panels && muted(`${show(panels.length - most_panels)} more in the numbers`));
  figure.append(files(report, chosen, figure, caption, panels.map(({ words }) => words).join(' ')));
  if (with_numbers) figure.append(numbers(name.replace('/', '-'), chosen, report.units));
  return figure;
}
