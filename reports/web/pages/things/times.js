// When a build and a stack came and went.
import replaced_sql from '../../queries/build/replaced.sql';
import times_sql from '../../queries/build/times.sql';
import { count, element, show, showTime } from '../../dom/element.js';
import { hashLink, later, linksTo, muted, openable, panel } from '../../dom/parts.js';
import { ask, exactly, groupBy, objects, sum, without } from '../../data/ask.js';
import { runSql } from '../../data/ledger.js';
import { snapshotNamed, snapshotsOf } from '../../data/site.js';
import { address, chosenSnapshot } from '../../shell/address.js';
import { plain } from '../../table/order.js';
import { table } from '../../table/table.js';

const few_links = 6;

function hashLinks(hashes) {
  const links = (list) => list.map((hash) => [hashLink(hash), ' ']);
  if (hashes.length <= few_links) return links(hashes);
  return element('details', {}, element('summary', {}, `these ${show(hashes.length)}`), links(hashes));
}

// What the drift to this snapshot says of the build. `turns` are rows of replaced.sql of one moment.
function cause(turns) {
  const [{ change, cause: why, added, removed }] = turns;
  const came = change === 'added';
  if (why === 'rebuilt') {
    const is_one = added === 1 && removed === 1;
    return [came ? 'replaced ' : 'replaced by ',
      !is_one && `one of ${show(turns.length)} (of the builds that look the same, ${show(removed)} went and ${show(added)} came): `,
      hashLinks(turns.map((one) => one.hash))];
  }
  if (why === 'copies') {
    return `${came ? 'one more copy' : 'one copy less'}; of the builds that look the same, ${show(added)} came and ${show(removed)} went`;
  }
  return null;
}

function moves(before, after) {
  const [old, now] = [before, after].map((stacks) => stacks.split(',').filter(Boolean));
  const [joined, left] = [[now, old], [old, now]].map(([some, others]) => some.filter((name) => !others.includes(name)));
  return [joined.length > 0 && ['joined ', linksTo('stack', joined)], joined.length > 0 && left.length > 0 && ', ',
    left.length > 0 && ['left ', linksTo('stack', left)]];
}

function where({ stacks }) {
  if (stacks == null) return null;
  return stacks === '' ? ', in no stack' : [', in ', linksTo('stack', stacks.split(','))];
}

/// The events of one series: {moment, snapshot, words, turn}. `rows` are those of times.sql, in their order.
function eventsOf(rows) {
  return rows.flatMap((row, index) => {
    const events = [];
    const before = rows[index - 1];
    if (row.came) {
      const words = row.is_start ? 'there from the start' : before ? 'back' : 'first seen';
      events.push({ moment: row.since, snapshot: row.since_snapshot, words: [words, where(row)], turn: 'added' });
    } else if (before && before.stacks != null && row.stacks != null && before.stacks !== row.stacks) {
      events.push({ moment: row.since, snapshot: row.since_snapshot, words: moves(before.stacks, row.stacks) });
    }
    if (row.went) events.push({ moment: row.until, snapshot: row.until_snapshot, words: 'gone', turn: 'removed' });
    return events;
  });
}

// The life in one series. An event is {moment, href, said}; `number` counts the snapshots that have it, of `all`.
function life(series, number, all, is_there, events) {
  const line = ({ moment, href, said }) =>
    element('li', {}, element('a', { href }, element('time', { datetime: moment }, showTime(moment))), element('div', {}, said));
  return [
    element('h3', {}, series, ' ', element('small', { class: 'muted' },
      `in ${show(number)} of ${count(all, 'snapshot')}; ${is_there ? 'still there' : 'not in the newest'}`)),
    element('ol', { class: 'life' }, events.map(line)),
  ];
}

function seriesPart(series, rows, replaced, build) {
  const event = ({ moment, snapshot, words, turn }) => {
    const turns = replaced.filter((one) => one.series === series && one.taken_at === moment && one.change === turn);
    const before = turns[0]?.before;
    const said = [element('span', { class: 'event' }, words), turns.length > 0 && element('div', { class: 'replaced' }, cause(turns)),
      before && element('a', { class: 'more', href: address('report', 'drift/specs', { from: before, to: snapshot, package: build.package }) },
        `what of ${build.package} changed then`)];
    return { moment, href: address('build', build.hash, { at: snapshot }), said };
  };
  return life(series, sum(rows, 'snapshots'), rows[0].of, rows.at(-1).until === null, eventsOf(rows).map(event));
}

function parts(times, replaced, build) {
  if (times.length === 0) {
    return element('p', {}, `It is in no snapshot: ${build.external === 1 ? 'it is external' : 'other builds only depend on it'}.`);
  }
  return [...groupBy(times, (row) => row.series)].map(([name, rows]) => seriesPart(name, rows, replaced, build));
}

export function timePanel(spec_id, build, signal) {
  const answers = Promise.all([times_sql, replaced_sql].map((sql) => runSql(sql, { spec_id }, signal).then(objects)));
  return panel('When it came and went', null, later(answers, ([times, replaced]) => parts(times, replaced, build)));
}

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

function stackPart(series, name, rows) {
  const snapshots = snapshotsOf(series);
  const has = new Set(rows.filter((row) => row.specs > 0).map((row) => row.snapshot));
  const event = ({ snapshot, words }) => ({ moment: snapshot.taken_at, href: address('stack', name, { at: snapshot.name }), said: words });
  return life(series, has.size, snapshots.length, has.has(snapshots.at(-1)?.name), turns(snapshots, has).map(event));
}

// The newest snapshot first: 600 of them begin long ago.
const newestFirst = (data) => {
  const [series, moment] = ['series', 'taken_at'].map((column) => data.columns.indexOf(column));
  return { ...data, rows: data.rows.toSorted((a, b) => plain(a[series], b[series]) || plain(b[moment], a[moment])) };
};

// The series in view first; of the others only when asked.
function allSeries(name, rows) {
  const all = [...new Set(rows.map((row) => row.series))];
  const part = (one) => stackPart(one, name, rows.filter((row) => row.series === one));
  const mine = snapshotNamed(chosenSnapshot())?.series;
  if (!all.includes(mine) || all.length === 1) return all.map(part);
  const others = all.filter((one) => one !== mine);
  return [part(mine), openable(`In ${count(others.length, 'other series', 'other series')}`, null, () => element('div', {}, others.flatMap(part)))];
}

export function biography(name, signal) {
  return panel('Biography', 'When each series had it, and what it gained and lost from snapshot to snapshot.',
    later(ask('history/stacks', { stack: exactly(name) }, signal), (data) => {
      const rows = objects(data);
      return rows.length === 0 ? muted('No snapshot has a build of it.')
        : [...allSeries(name, rows), element('h3', {}, 'Snapshot by snapshot'),
          table(newestFirst(without(data, ['stack'])), { name: 'stack history', height: 340 })];
    }));
}
