// What uses a compiler or a target: the packages, the stacks, and since when.
import packages_sql from '../../queries/use/packages.sql';
import stack_times_sql from '../../queries/use/stack_times.sql';
import stacks_sql from '../../queries/use/stacks.sql';
import systems_sql from '../../queries/use/systems.sql';
import times_sql from '../../queries/use/times.sql';
import { count, element } from '../../dom/element.js';
import { code, later, openable, pageTitle, panel } from '../../dom/parts.js';
import { objects, sum, sums } from '../../data/ask.js';
import { runSql } from '../../data/ledger.js';
import { address, stackLink } from '../../shell/address.js';
import { barPanel } from '../../charts/figure.js';
import { specOfCompiler, specOfTarget } from '../../spec/names.js';
import { table } from '../../table/table.js';

function sentence(packages) {
  return packages.rows.length === 0 ? 'not in this snapshot'
    : `${count(packages.rows.length, 'package')} · ${count(sum(objects(packages), 'builds'), 'build')}`;
}

const withWords = (data) => {
  const place = data.columns.indexOf('is_there');
  return { columns: data.columns.with(place, 'in the newest'), rows: data.rows.map((row) => row.with(place, row[place] ? 'yes' : 'no')) };
};

/// `given` are the parameters of queries/use; `spec` is how Spack asks for such builds, or null; `others` are the column and the title of what
/// the builds are told apart by.
function usePage({ name, at, signal, given, what, spec, others: [other, other_title] }) {
  const ask = (sql) => runSql(sql, { at, ...given }, signal);
  const [packages, stacks, systems] = [packages_sql, stacks_sql, systems_sql].map(ask);
  const times = runSql(times_sql, given, signal);
  const by_other = systems.then((data) => ({ columns: [other, 'builds'], rows: [...sums(objects(data), other, 'builds')] }));
  return [
    pageTitle(name, `${what} · `, at && code(at), ' · ',
      later(Promise.all([packages, times]), ([here, ever]) => element('span', {}, ever.rows.length === 0 ? `the ledger has no build of this ${what}` : sentence(here))),
      spec !== null && [' · ', element('a', { href: address('search', '', { q: spec }) }, 'its builds')]),
    later(packages, (data) => data.rows.length > 0 && element('div', { class: 'flow' },
      barPanel('By stack', 'stack', stacks, { value: 'builds', name: 'stacks', link: stackLink, none: '(not known)' }),
      barPanel(other_title, other, by_other, { value: 'builds' }))),
    panel('Since when', 'The first and the last snapshot of each series that has such a build.',
      later(times, (data) => table(withWords(data), { name: 'times', height: 300 })),
      openable('In each stack', null, () => later(runSql(stack_times_sql, given, signal),
        (data) => table(withWords(data), { name: 'stack times', height: 360 })))),
    later(packages, (data) => data.rows.length > 0 && panel('Packages', null, table(data, { name: 'packages', totals: ['builds'] }))),
    later(systems, (data) => data.rows.length > 0 && panel('Systems', null, table(data, { name: 'systems', height: 300, totals: ['builds'] }))),
  ];
}

export const compilerPage = ({ at, name, signal }) => usePage({
  name, at, signal, given: { compiler: name, target: null }, what: 'compiler', spec: specOfCompiler(name), others: ['target', 'Targets'],
});

export const targetPage = ({ at, name, signal }) => usePage({
  name, at, signal, given: { target: name, compiler: null }, what: 'target', spec: specOfTarget(name), others: ['compiler', 'Compilers'],
});
