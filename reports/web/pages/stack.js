// One stack in one snapshot: what its list wants, and what it has.
import missing_sql from '../queries/missing_wishes.sql';
import { element } from '../dom/element.js';
import { count, show } from '../dom/format.js';
import { later, pageTitle, panel } from '../dom/parts.js';
import { ask, exactly, objects, without } from '../data/ask.js';
import { runSql } from '../data/ledger.js';
import { table } from '../table/table.js';
import { picturePanel, reportPanel } from './report_panel.js';

/// "of 143 wishes, 139 are there (97.2 %)" of a row of coverage/wishes.
export function wishWords({ wanted, there, as_far_as_known, percent }) {
  if (there == null) return `${count(wanted, 'wish', 'wishes')}; the snapshot has no stack of this name`;
  const unsure = as_far_as_known > 0 ? `; ${show(as_far_as_known)} more as far as known` : '';
  return `${show(there)} of ${count(wanted, 'wish', 'wishes')} there (${percent} %)${unsure}`;
}

function wishPanel(name, at, wishes, signal) {
  const [row] = objects(wishes);
  if (!row) return null;
  return panel('Wishes', wishWords(row), row.there === row.wanted || row.there == null ? null
    : later(runSql(missing_sql, { at, stack: name }, signal), (data) => table(data, { name: 'missing wishes', height: 360 })));
}

function sentence(stacks, name) {
  const row = objects(stacks).find((one) => one.stack === name);
  return row ? [count(row.packages, 'package'), count(row.versions, 'version'), count(row.specs, 'build')].join(' · ')
    : 'not in this snapshot';
}

export function stackPage({ at, name, signal }) {
  const given = { at, stack: exactly(name) };
  return [
    pageTitle(name, element('code', {}, at), ' · ',
      later(ask('coverage/stacks', { at }, signal), (data) => element('span', {}, sentence(data, name)))),
    later(ask('coverage/wishes', given, signal), (data) => wishPanel(name, at, data, signal)),
    later(ask('history/wishes', { stack: exactly(name) }, signal), (data) => data.rows.length > 0
      && picturePanel('history/wishes', { stack: exactly(name) }, signal)),
    reportPanel('coverage/packages', given, signal, { height: 420, without: ['stack'] }),
    panel('History', null, later(ask('history/stacks', { stack: exactly(name) }, signal),
      (data) => table(without(data, ['stack']), { name: 'stack history', height: 340 }))),
  ];
}
