// One canned report with its parameters.
import { element } from '../dom/element.js';
import { later, openable, pageTitle, prose } from '../dom/parts.js';
import { ask, complete } from '../data/ask.js';
import { about, reports } from '../data/site.js';
import { address, chosenPair } from '../shell/address.js';
import { snapshotOptions } from '../shell/shell.js';
import { picture } from '../charts/picture.js';
import { tableOf } from './report_panel.js';

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
    pageTitle(found.title, element('code', {}, found.name)),
    element('p', { class: 'description' }, prose(found.description)),
    found.parameters.length > 0 && form(found, args),
    element('section', { class: 'panel' }, later(ask(name, args, signal), (data) => [
      picture(name, data, { with_numbers: false }), tableOf(name, data, { height: 560 })])),
    element('section', { class: 'panel' }, openable('The SQL of this report', null, () => element('pre', { tabindex: 0 }, found.sql))),
  ];
}
