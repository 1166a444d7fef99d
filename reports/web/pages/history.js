// All snapshots: growth, what changed for which cause, how long builds stay, compilers, when versions came, what is rebuilt most.
import { count } from '../dom/format.js';
import { later, pageTitle, panel } from '../dom/parts.js';
import { ask } from '../data/ask.js';
import { ofSeries } from '../data/rows.js';
import { about, reports } from '../data/site.js';
import { chosenSeries } from '../shell/address.js';
import { growth } from '../charts/growth.js';
import { table } from '../table/table.js';
import { picturePanel, reportPanel } from './report_panel.js';

const series = new Set(about.snapshots.map((snapshot) => snapshot.series)).size;

const pictures = ['causes', 'compilers', 'survival-curve', 'lag', 'rebuilds', 'lifetime'];

export function history({ signal }) {
  const only = chosenSeries();
  return [
    pageTitle('History', `${count(about.snapshots.length, 'snapshot')} in ${count(series, 'series', 'series')}`),
    panel('Growth', null, later(ask('history/growth', {}, signal), (data) => [
      growth(data, { only, with_numbers: false }), table(ofSeries(data, only), { name: 'growth', height: 340, units: reports.get('history/growth').units })])),
    ...pictures.map((name) => picturePanel(`history/${name}`, {}, signal, { only })),
    reportPanel('history/packages', {}, signal),
  ];
}
