// A canned report as a panel: its title, what it answers, its rows.
import { later, openable, panel, prose } from '../dom/parts.js';
import { count } from '../dom/format.js';
import { element } from '../dom/element.js';
import { ask, knownRows, without } from '../data/ask.js';
import { reports } from '../data/site.js';
import { address } from '../shell/address.js';
import { picture } from '../charts/picture.js';
import { table } from '../table/table.js';

/// The table of a report, when it comes. `settings` are those of table(); `without` names columns that the page says elsewhere.
export function reportTable(name, given, signal, settings) {
  return later(ask(name, given, signal), (data) => tableOf(name, data, settings));
}

/// The same of rows that are there.
export function tableOf(name, data, { without: said = [], ...settings } = {}) {
  const { title, totals, units } = reports.get(name);
  return table(without(data, said), { name: name.replace('/', '-'), caption: title, totals, units, ...settings });
}

/// The picture of a report, and its rows below it, folded.
export function reportPicture(name, given, signal, settings) {
  return later(ask(name, given, signal), (data) => picture(name, data, settings)
    ?? element('p', { class: 'muted' }, data.missing ? 'The ledger has no such snapshot.' : 'None.'));
}

/// The same as a panel.
export function picturePanel(name, given, signal, settings) {
  const about = [inShort(name), ' ', element('a', { class: 'more', href: address('report', name, given) }, 'as a report')];
  return panel(reports.get(name).title, about, reportPicture(name, given, signal, settings));
}

/// The first sentence of a description, without the list in it; the rest is on the report's own page.
export function inShort(name) {
  const [first] = reports.get(name).description.split(/(?<=\.)\s|:\s/);
  return prose(first.endsWith('.') ? first : `${first}.`);
}

export function reportPanel(name, given, signal, settings) {
  const about = [inShort(name), ' ', element('a', { class: 'more', href: address('report', name, given) }, 'as a report')];
  return panel(reports.get(name).title, about, reportTable(name, given, signal, settings));
}

/// The same, made when it is opened.
export function reportOpenable(name, given, signal, settings) {
  const rows = knownRows(name, given);
  return openable(reports.get(name).title, rows === null ? null : count(rows, 'row'),
    () => element('div', {}, element('p', { class: 'muted' }, inShort(name)), reportTable(name, given, signal, settings)));
}
