// All canned reports.
import { element } from '../dom/element.js';
import { pageTitle, panel } from '../dom/parts.js';
import { groupBy } from '../data/rows.js';
import { reports } from '../data/site.js';
import { address } from '../shell/address.js';
import { inShort } from './report_panel.js';

export function reportList() {
  const groups = groupBy(reports.values(), ({ name }) => name.split('/')[0]);
  return [
    pageTitle('Reports', 'The same reports as in the program, over the same ledger.'),
    ...[...groups].map(([group, list]) => panel(group, null, element('ul', { class: 'reports' }, list.map(({ name, title }) =>
      element('li', {}, element('a', { href: address('report', name) }, title), element('p', { class: 'muted' }, inShort(name))))))),
  ];
}
