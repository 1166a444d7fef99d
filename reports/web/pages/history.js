// All snapshots: growth, what is rebuilt most, how long specs stay, when versions came.
import { element } from '../dom/element.js';
import { count } from '../dom/format.js';
import { later, pageTitle, panel } from '../dom/parts.js';
import { ask } from '../data/ask.js';
import { about } from '../data/site.js';
import { chosenSeries } from '../shell/address.js';
import { growth } from '../charts/growth.js';
import { table } from '../table/table.js';
import { reportPanel } from './report_panel.js';

const series = new Set(about.snapshots.map((snapshot) => snapshot.series)).size;

export function history({ signal }) {
  return [
    pageTitle('History', `${count(about.snapshots.length, 'snapshot')} in ${count(series, 'series', 'series')}`),
    panel('Growth', null, later(ask('history/growth', {}, signal), (data) => [
      growth(data, { only: chosenSeries(), with_numbers: false }), table(data, { name: 'growth', height: 340 })])),
    reportPanel('history/rebuilds', {}, signal, { height: 320 }),
    reportPanel('history/lifetime', {}, signal, { height: 320 }),
    reportPanel('history/packages', {}, signal),
  ];
}
