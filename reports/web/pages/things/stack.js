// One stack: what it has and lacks in one snapshot, what its list wants, and its life.
import lists_sql from '../../queries/lists_of_stack.sql';
import missing_sql from '../../queries/missing_wishes.sql';
import { count, element, show, showTime } from '../../dom/element.js';
import { later, openable, pageTitle, panel } from '../../dom/parts.js';
import { ask, exactly, objects } from '../../data/ask.js';
import { runSql } from '../../data/ledger.js';
import { about, snapshotBefore } from '../../data/site.js';
import { address } from '../../shell/address.js';
import { barPanel } from '../../charts/figure.js';
import { picturePanel, reportPanel, reportTable } from '../reports.js';
import { nearestPage } from '../search.js';
import { mirrorLine } from './build.js';
import { biography } from './times.js';
import { table } from '../../table/table.js';

/// "of 143 wishes, 139 are there (97.2 %)" of a row of coverage/wishes.
function wishWords({ wanted, there, as_far_as_known, percent }) {
  if (there == null) return `${count(wanted, 'wish', 'wishes')}; the snapshot has no stack of this name`;
  const unsure = as_far_as_known > 0 ? `; ${show(as_far_as_known)} more as far as known` : '';
  return `${show(there)} of ${count(wanted, 'wish', 'wishes')} there (${percent} %)${unsure}`;
}

// Of a snapshot in which no list of the stack was in force.
function listTimes(data) {
  const [row] = objects(data);
  return row && panel('Wishes', `No list of this stack was in force then. The ledger has its list from ${showTime(row.since)} on${
    row.until === null ? '' : `, until ${showTime(row.until)}`}.`);
}

function wishPanel(name, at, wishes, signal) {
  const [row] = objects(wishes);
  if (!row) return about.wishes_since === null ? null : later(runSql(lists_sql, { stack: name }, signal), listTimes);
  return panel('Wishes', wishWords(row), row.there === row.wanted || row.there == null ? null
    : later(runSql(missing_sql, { at, stack: name }, signal), (data) => table(data, { name: 'missing wishes', height: 360 })),
  openable('When each wish was met', null,
    () => reportTable('history/wishes', { stack: exactly(name) }, signal, { height: 360, without: ['stack'] })));
}

function sentence(row) {
  return row ? [count(row.packages, 'package'), count(row.versions, 'version'), count(row.specs, 'build')].join(' · ')
    : 'not in this snapshot';
}

function contents(name, given, at, signal) {
  return [
    element('section', { class: 'panel set-up', 'aria-label': 'Set-up' }, mirrorLine([name], at, signal)),
    element('div', { class: 'flow' }, barPanel('Targets', 'target', ask('coverage/targets', given, signal)),
      barPanel('Compilers', 'compiler', ask('coverage/compilers', given, signal))),
    reportPanel('coverage/packages', given, signal, { height: 420, without: ['stack', 'stacks'] }),
  ];
}

export function stackPage({ at, name, signal }) {
  if (!about.stacks.includes(name)) return nearestPage('stack', name);
  const given = { at, stack: exactly(name) };
  const row = ask('coverage/stacks', { at }, signal).then((data) => objects(data).find((one) => one.stack === name));
  const before = snapshotBefore(at);
  return [
    pageTitle(name, element('code', {}, at), ' · ', later(row, (found) => element('span', {}, sentence(found))),
      before && [' · ', element('a', { href: address('drift', '', { from: before.name, to: at, stack: name }) },
        'what changed in it since the snapshot before')]),
    later(row, (found) => found && contents(name, given, at, signal)),
    later(ask('coverage/wishes', given, signal), (data) => wishPanel(name, at, data, signal)),
    later(ask('history/wishes', { stack: exactly(name) }, signal), (data) => data.rows.length > 0
      && picturePanel('history/wishes', { stack: exactly(name) }, signal)),
    reportPanel('coverage/gaps', given, signal, { height: 320, without: ['stack'] }),
    biography(name, signal),
  ];
}
