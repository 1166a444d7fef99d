// When a build came and went in each series, what it replaced, and what replaced it.
import replaced_sql from '../../../queries/build/replaced.sql';
import times_sql from '../../../queries/build/times.sql';
import { element } from '../../../dom/element.js';
import { count, show, showTime } from '../../../dom/format.js';
import { later, panel } from '../../../dom/parts.js';
import { objects } from '../../../data/ask.js';
import { runSql } from '../../../data/ledger.js';
import { groupBy, sum } from '../../../data/rows.js';
import { address } from '../../../shell/address.js';
import { hashLink } from './link.js';

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

const stackLinks = (names) => names.map((name, index) => [index > 0 && ', ', element('a', { href: address('stack', name) }, name)]);

function moves(before, after) {
  const [old, now] = [before, after].map((stacks) => stacks.split(',').filter(Boolean));
  const joined = now.filter((name) => !old.includes(name));
  const left = old.filter((name) => !now.includes(name));
  return [joined.length > 0 && ['joined ', stackLinks(joined)], joined.length > 0 && left.length > 0 && ', ',
    left.length > 0 && ['left ', stackLinks(left)]];
}

function where({ stacks }) {
  if (stacks == null) return null;
  return stacks === '' ? ', in no stack' : [', in ', stackLinks(stacks.split(','))];
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

function presence(rows) {
  const snapshots = sum(rows, 'snapshots');
  const is_there = rows.at(-1).until === null;
  return `in ${show(snapshots)} of ${count(rows[0].of, 'snapshot')}; ${is_there ? 'still there' : 'not in the newest'}`;
}

function seriesPart(series, rows, replaced, build) {
  const line = ({ moment, snapshot, words, turn }) => {
    const turns = replaced.filter((one) => one.series === series && one.taken_at === moment && one.change === turn);
    const before = turns[0]?.before;
    return element('li', {},
      element('a', { href: address('build', build.hash, { at: snapshot }) }, element('time', { datetime: moment }, showTime(moment))),
      element('div', {}, element('span', { class: 'event' }, words), turns.length > 0 && element('div', { class: 'replaced' }, cause(turns)),
        before && element('a', { class: 'more', href: address('report', 'drift/specs', { from: before, to: snapshot, package: build.package }) },
          `what of ${build.package} changed then`)));
  };
  return [element('h3', {}, series, ' ', element('small', { class: 'muted' }, presence(rows))),
    element('ol', { class: 'life' }, eventsOf(rows).map(line))];
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
