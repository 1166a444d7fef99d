// The life of a stack: when each series had it, and what it gained and lost from snapshot to snapshot.
import { element } from '../../../dom/element.js';
import { count, show, showTime } from '../../../dom/format.js';
import { later, openable, panel } from '../../../dom/parts.js';
import { ask, exactly, objects, without } from '../../../data/ask.js';
import { about, snapshotNamed } from '../../../data/site.js';
import { address, chosenSnapshot } from '../../../shell/address.js';
import { table } from '../../../table/table.js';

/// The snapshots of a series at which the stack came or went: [{snapshot, words}]. `has` are the names of those that have builds of it.
function turns(snapshots, has) {
  const said = [];
  let was_there = false;
  for (const [index, snapshot] of snapshots.entries()) {
    const is_there = has.has(snapshot.name);
    if (is_there && !was_there) said.push({ snapshot, words: index === 0 ? 'there from the start' : said.length > 0 ? 'back' : 'born' });
    if (!is_there && was_there) said.push({ snapshot, words: 'gone' });
    was_there = is_there;
  }
  return said;
}

function seriesPart(series, name, rows) {
  const snapshots = about.snapshots.filter((one) => one.series === series);
  const has = new Set(rows.filter((row) => row.specs > 0).map((row) => row.snapshot));
  const line = ({ snapshot, words }) => element('li', {},
    element('a', { href: address('stack', name, { at: snapshot.name }) },
      element('time', { datetime: snapshot.taken_at }, showTime(snapshot.taken_at))),
    element('div', {}, words));
  return [
    element('h3', {}, series, element('small', { class: 'muted' },
      `in ${show(has.size)} of ${show(snapshots.length)} ${snapshots.length === 1 ? 'snapshot' : 'snapshots'}; ${
        has.has(snapshots.at(-1)?.name) ? 'still there' : 'not in the newest'}`)),
    element('ol', { class: 'life' }, turns(snapshots, has).map(line)),
  ];
}

// The newest snapshot first: 600 of them begin long ago.
const newestFirst = (data) => {
  const [series, moment] = ['series', 'taken_at'].map((column) => data.columns.indexOf(column));
  const order = (a, b) => (a[series] < b[series] ? -1 : a[series] > b[series] ? 1 : a[moment] < b[moment] ? 1 : -1);
  return { ...data, rows: data.rows.toSorted(order) };
};

// The series in view first; of the others only when asked.
function allSeries(name, rows) {
  const all = [...new Set(rows.map((row) => row.series))];
  const part = (one) => seriesPart(one, name, rows.filter((row) => row.series === one));
  const mine = snapshotNamed(chosenSnapshot())?.series;
  if (!all.includes(mine) || all.length === 1) return all.map(part);
  const others = all.filter((one) => one !== mine);
  return [part(mine), openable(`In ${count(others.length, 'other series', 'other series')}`, null, () => element('div', {}, others.flatMap(part)))];
}

export function biography(name, signal) {
  return panel('Biography', 'When each series had it, and what it gained and lost from snapshot to snapshot.',
    later(ask('history/stacks', { stack: exactly(name) }, signal), (data) => {
      const rows = objects(data);
      return rows.length === 0 ? element('p', { class: 'muted' }, 'No snapshot has a build of it.')
        : [...allSeries(name, rows), element('h3', {}, 'Snapshot by snapshot'),
          table(newestFirst(without(data, ['stack'])), { name: 'stack history', height: 340 })];
    }));
}
