// Canned reports: one with its parameters, all of them, as panels of other pages, and the pages that consist of such panels.
import { count, element } from '../dom/element.js';
import { code, later, muted, openable, pageTitle, panel, prose } from '../dom/parts.js';
import { ask, complete, groupBy, objects, ofSeries, without } from '../data/ask.js';
import { about, reports, snapshotBefore } from '../data/site.js';
import { address, chosenPair, chosenSeries } from '../shell/address.js';
import { snapshotOptions } from '../shell/shell.js';
import { growth } from '../charts/growth.js';
import { picture } from '../charts/picture.js';
import { table } from '../table/table.js';

/// The table of a report, when it comes. `settings` are those of table(); `without` names columns that the page says elsewhere.
export function reportTable(name, given, signal, settings) {
  return later(ask(name, given, signal), (data) => tableOf(name, data, settings));
}

/// The same of rows that are there.
function tableOf(name, data, { without: said = [], ...settings } = {}) {
  const { title, totals, units } = reports.get(name);
  return table(without(data, said), { name: name.replace('/', '-'), caption: title, totals, units, ...settings });
}

/// The first sentence of a description, without the list in it; the rest is on the report's own page.
export function inShort(name) {
  const [first] = reports.get(name).description.split(/(?<=\.)\s|:\s/);
  return prose(first.endsWith('.') ? first : `${first}.`);
}

/// A panel with what `make` makes of a report's rows.
function panelOf(name, given, signal, make) {
  const about = [inShort(name), ' ', element('a', { class: 'more', href: address('report', name, given) }, 'as a report')];
  return panel(reports.get(name).title, about, later(ask(name, given, signal), make));
}

/// A panel with the table of a report.
export const reportPanel = (name, given, signal, settings) => panelOf(name, given, signal, (data) => tableOf(name, data, settings));

/// A panel with the picture of a report, and its rows below it, folded.
export const picturePanel = (name, given, signal, settings) => panelOf(name, given, signal, (data) =>
  picture(name, data, settings) ?? muted(data.missing ? 'The ledger has no such snapshot.' : 'None.'));

// The panels of reports of one snapshot.
const panelsOf = (names, at, signal) => names.map((name) => reportPanel(name, { at }, signal));

export const coverage = ({ at, signal }) => [
  pageTitle('Coverage', code(at), ' · ', element('a', { href: address('matrix') }, 'every package and stack in one picture →')),
  reportPanel('coverage/systems', { at }, signal, { height: 320 }),
  ...panelsOf(['coverage/gaps', 'coverage/redundancy', 'coverage/packages'], at, signal),
];

export const findings = ({ at, signal }) => [
  pageTitle('Findings', code(at)), ...panelsOf(['audit/findings', 'audit/meta', 'audit/closure', 'audit/hashes'], at, signal),
];

const series = new Set(about.snapshots.map((snapshot) => snapshot.series)).size;

const pictures = ['causes', 'compilers', 'survival-curve', 'lag', 'rebuilds', 'lifetime'];

export function historyPage({ signal }) {
  const only = chosenSeries();
  return [
    pageTitle('History', `${count(about.snapshots.length, 'snapshot')} in ${count(series, 'series', 'series')}`),
    panel('Growth', null, later(ask('history/growth', {}, signal), (data) => [
      growth(data, { only, with_numbers: false }), table(ofSeries(data, only), { name: 'growth', height: 340, units: reports.get('history/growth').units })])),
    ...pictures.map((name) => picturePanel(`history/${name}`, {}, signal, { only })),
    reportPanel('history/packages', {}, signal),
  ];
}

const no_sizes = 'The ledger knows no size of these builds: mirrors of build caches say the sizes of their binaries, pages do not.';

export function sizes({ at, signal }) {
  const before = snapshotBefore(at)?.name ?? (at === about.to ? about.from : null);
  const pictureOf = (name, given) => picturePanel(`sizes/${name}`, given, signal);
  return [
    pageTitle('Sizes', code(at)),
    // One sentence where no size is known, in place of bars without a length.
    later(ask('sizes/stacks', { at }, signal), (data) => (objects(data).every(({ bytes }) => bytes === null) ? muted(no_sizes) : [
      ...['stacks', 'packages'].map((name) => pictureOf(name, { at })),
      ...(before ? ['drift', 'rebuilt'] : []).map((name) => pictureOf(name, { from: before, to: at })),
    ])),
  ];
}

export function reportList() {
  const groups = groupBy(reports.values(), ({ name }) => name.split('/')[0]);
  return [
    pageTitle('Reports', 'The same reports as in the program, over the same ledger.'),
    ...[...groups].map(([group, list]) => panel(group, null, element('ul', { class: 'reports' }, list.map(({ name, title }) =>
      element('li', {}, element('a', { href: address('report', name) }, title), muted(inShort(name))))))),
  ];
}

const known = { package: about.packages, stack: about.stacks };

function field(parameter, value) {
  const { name, type, names, help } = parameter;
  const list = known[names] && `names-${name}`;
  const input = type === 'snapshot'
    ? element('select', { name }, snapshotOptions())
    : element('input', { name, type: type === 'integer' ? 'number' : 'text', list, spellcheck: 'false', autocomplete: 'off' });
  input.value = value ?? '';
  return element('label', {}, element('span', { title: help }, name), input,
    list && element('datalist', { id: list }, known[names].map((one) => element('option', { value: one }))));
}

function form(report, args) {
  const run = (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.target));
    location.hash = address('report', report.name, given);
  };
  return element('form', { class: 'form', onsubmit: run }, report.parameters.map((one) => field(one, args[one.name])),
    element('button', { class: 'primary' }, 'Show'));
}

// An address has texts; numbers are numbers again.
function valueFrom(text, { name, type }) {
  if (type !== 'integer') return text;
  if (!/^-?\d{1,15}$/.test(text)) throw new Error(`${name} '${text}': expected a whole number`);
  return Number(text);
}

function argumentsFrom(report, given, at) {
  const pair = chosenPair();
  const asked = pair.from === null ? { at } : { at, ...pair };   // else the pair that the site was made with
  for (const parameter of report.parameters) {
    if (given.has(parameter.name)) asked[parameter.name] = valueFrom(given.get(parameter.name), parameter);
  }
  return complete(report, asked);
}

export function report({ at, name, given, signal }) {
  const found = reports.get(name);
  if (!found) return [pageTitle('No such report'), element('p', {}, element('a', { href: address('reports') }, 'All reports'))];
  const args = argumentsFrom(found, given, at);
  return [
    pageTitle(found.title, code(found.name)),
    element('p', { class: 'description' }, prose(found.description)),
    found.parameters.length > 0 && form(found, args),
    element('section', { class: 'panel' }, later(ask(name, args, signal), (data) => [
      picture(name, data, { with_numbers: false }), tableOf(name, data, { height: 560 })])),
    element('section', { class: 'panel' }, openable('The SQL of this report', null, () => element('pre', { tabindex: 0 }, found.sql))),
  ];
}
