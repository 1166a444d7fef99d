// What uses a compiler or a target: the packages, the stacks, and since when.
import packages_sql from '../../queries/use/packages.sql';
import stacks_sql from '../../queries/use/stacks.sql';
import systems_sql from '../../queries/use/systems.sql';
import stack_times_sql from '../../queries/use/stack_times.sql';
import times_sql from '../../queries/use/times.sql';
import { bars } from '../../charts/bars.js';
import { element } from '../../dom/element.js';
import { count } from '../../dom/format.js';
import { later, openable, pageTitle, panel } from '../../dom/parts.js';
import { objects } from '../../data/ask.js';
import { runSql } from '../../data/ledger.js';
import { sum } from '../../data/rows.js';
import { about } from '../../data/site.js';
import { address } from '../../shell/address.js';
import { table } from '../../table/table.js';

function sentence(packages) {
  return packages.rows.length === 0 ? 'not in this snapshot'
    : `${count(packages.rows.length, 'package')} · ${count(sum(objects(packages), 'builds'), 'build')}`;
}

/// The rows with one row for each value of a column, and the sum of the builds.
function byColumn(data, column) {
  const builds = new Map();
  for (const row of objects(data)) builds.set(row[column], (builds.get(row[column]) ?? 0) + row.builds);
  return { columns: [column, 'builds'], rows: [...builds] };
}

const stackLink = (name) => (about.stacks.includes(name) ? address('stack', name) : null);

/// `given` are the parameters of queries/use; `spec` is how Spack asks for such builds, or null; `others` are the column and the title of what
/// the builds are told apart by.
export function usePage({ name, at, signal, given, what, spec, others: [other, other_title] }) {
  const ask = (sql) => runSql(sql, { at, ...given }, signal);
  const [packages, stacks, systems] = [packages_sql, stacks_sql, systems_sql].map(ask);
  const times = runSql(times_sql, given, signal);
  const names = Promise.all([packages, times]);
  return [
    pageTitle(name, `${what} · `, at && element('code', {}, at), ' · ',
      later(names, ([here, ever]) => element('span', {}, ever.rows.length === 0 ? `the ledger has no build of this ${what}` : sentence(here))),
      spec !== null && [' · ', element('a', { href: address('search', '', { q: spec }) }, 'its builds')]),
    later(packages, (data) => data.rows.length > 0 && element('div', { class: 'flow' },
      panel('By stack', null, later(stacks, (rows) => bars(rows, {
        label: 'stack', value: 'builds', name: 'stacks', link: stackLink, none: '(not known)',
      }))),
      panel(other_title, null, later(systems, (rows) => bars(byColumn(rows, other), {
        label: other, value: 'builds', name: other_title.toLowerCase(), link: (one) => address(other, one),
      }))))),
    panel('Since when', 'The first and the last snapshot of each series that has such a build.',
      later(times, (data) => table(withWords(data), { name: 'times', height: 300 })),
      openable('In each stack', null, () => later(runSql(stack_times_sql, given, signal),
        (data) => table(withWords(data), { name: 'stack times', height: 360 })))),
    later(packages, (data) => data.rows.length > 0 && panel('Packages', null, table(data, { name: 'packages', totals: ['builds'] }))),
    later(systems, (data) => data.rows.length > 0 && panel('Systems', null, table(data, { name: 'systems', height: 300, totals: ['builds'] }))),
  ];
}

const withWords = (data) => {
  const place = data.columns.indexOf('is_there');
  return { columns: data.columns.with(place, 'in the newest'), rows: data.rows.map((row) => row.with(place, row[place] ? 'yes' : 'no')) };
};
