// The pages of what has a name, in one snapshot: a package; a stack; and what uses a compiler or a target.
import found_sql from '../../queries/build/found.sql';
import commits_sql from '../../queries/commits.sql';
import dependencies_sql from '../../queries/dependencies.sql';
import known_sql from '../../queries/known.sql';
import lists_sql from '../../queries/lists_of_stack.sql';
import missing_sql from '../../queries/missing_wishes.sql';
import specs_sql from '../../queries/specs.sql';
import packages_sql from '../../queries/use/packages.sql';
import stack_times_sql from '../../queries/use/stack_times.sql';
import stacks_sql from '../../queries/use/stacks.sql';
import systems_sql from '../../queries/use/systems.sql';
import times_sql from '../../queries/use/times.sql';
import { count, element, show, showTime } from '../../dom/element.js';
import { code, later, muted, openable, pageTitle, panel } from '../../dom/parts.js';
import { ask, exactly, objects, sum, sums, where, without } from '../../data/ask.js';
import { runSql } from '../../data/ledger.js';
import { about, snapshotBefore, snapshotNamed } from '../../data/site.js';
import { address, stackLink } from '../../shell/address.js';
import { barPanel } from '../../charts/figure.js';
import { growth } from '../../charts/growth.js';
import { picturePanel, reportPanel, reportTable } from '../reports.js';
import { nearestPage } from '../search.js';
import { command, mirrorLine } from './build.js';
import { biography } from './times.js';
import { dependencyPanel, dependentPanel } from './tree.js';
import { specOfCompiler, specOfTarget } from '../../spec/names.js';
import { filteredPackage, variantWords } from '../../table/selection.js';
import { table } from '../../table/table.js';

const tableLater = (data, settings) => later(data, (rows) => table(rows, settings));

// "5 builds · 2 versions" of a row; `words` are columns and what each counts.
const countsOf = (row, words) => Object.entries(words).filter(([column]) => row[column] != null)
  .map(([column, one]) => count(row[column], one)).join(' · ');

const systemPanels = (given, signal) => [['Targets', 'target'], ['Compilers', 'compiler']].map(([title, what]) =>
  barPanel(title, what, ask(`coverage/${what}s`, given, signal)));

// A package.
const words_of_package = { specs: 'build', versions: 'version', stacks: 'stack', targets: 'target', compilers: 'compiler', looks: 'look' };

// A name that is none of Spack's is not put into a command.
const install = (name) => /^\w[\w-]*$/.test(name) && command(`spack install --cache-only ${name}`);

// The variants that all specs have stand above the table, once.
function specsView({ columns, rows }) {
  const place = columns.indexOf('variants');
  const words = rows.map((row) => variantWords(row[place] ?? ''));
  const common = (words[0] ?? []).filter((word) => rows.length > 1 && words.every((list) => list.includes(word)));
  const known = new Set(common);
  const others = rows.map((row, index) => row.with(place, words[index].filter((word) => !known.has(word)).join(' ')));
  return [
    common.length > 0 && element('p', { class: 'chips' }, element('span', { class: 'muted' }, 'All have '),
      common.map((word) => element('code', { class: 'chip' }, word))),
    table({ columns, rows: others }, { name: 'specs', height: 460 }),
  ];
}

// The variants that differ; those that all specs have are told above.
const varying = (variants) => without(where(variants, (row) => row.specs !== row.of), ['package']);

const not_known = 'The dependencies of its builds are not known: pages do not list them, indexes of build caches do.';

// Those of a package with one build are a tree.
function treePanels(name, hash, at, signal) {
  return later(runSql(found_sql, { beginning: hash, at, most: 2 }, signal), (data) => {
    const { spec_id } = objects(data).find((one) => one.package === name);
    const [build, node] = [{ package: name, knows_dependencies: 1 }, { spec_id, at, signal }];
    return element('div', { class: 'columns' }, dependencyPanel(build, node), dependentPanel(build, node));
  });
}

function listPanels(name, at, signal) {
  return [
    panel('Dependencies', 'What its builds need, as far as the ledger knows. The page of a build has them as a tree.',
      openable('List them', null, () =>
        tableLater(runSql(dependencies_sql, { at, package: name }, signal), { name: 'dependencies', height: 360 }))),
    panel('Dependents', 'The builds of the snapshot that need it, directly or through others.',
      openable('List them', null, () => reportTable('audit/dependents', { at, spec: name }, signal))),
  ];
}

function dependencyPanels(name, at, signal) {
  return later(runSql(known_sql, { at, package: name }, signal), ({ rows: [[known, builds, hash]] }) => {
    if (known !== 1) return panel('Dependencies', null, muted(not_known));
    return builds === 1 ? treePanels(name, hash, at, signal) : listPanels(name, at, signal);
  });
}

// Where the series never had a build of it: the newest snapshots of those that have.
function elsewhere(name, series, given, signal) {
  const link = (one) => element('li', {}, element('a', { href: address('package', name, { at: one.name }) }, one.name));
  return panel('History', `No snapshot of the series ${series} has a build of ${name}. These have:`,
    later(ask('history/packages', given, signal), (data) => {
      const last = new Map(objects(data).toSorted((a, b) => (a.last_seen < b.last_seen ? -1 : 1)).map((row) => [row.series, row.last_seen]));
      return element('ul', { class: 'names' }, about.snapshots.filter((one) => last.get(one.series) === one.taken_at).map(link));
    }));
}

function historyPanels(name, given, at, signal) {
  const series = snapshotNamed(at)?.series;   // the growth of others would be read, too
  return [
    later(ask('history/growth', series ? { ...given, series: exactly(series) } : given, signal), (data) => {
      if (objects(data).every((row) => row.specs === 0)) return elsewhere(name, series, given, signal);
      const chart = growth(data, { only: series, name: 'package growth' });
      return chart && panel('History', `Builds of ${name} in the series ${series}.`, chart);
    }),
    element('div', { class: 'columns' }, reportPanel('history/packages', given, signal, { height: 260, without: ['package'] }),
      reportPanel('history/rebuilds', given, signal, { height: 260, without: ['package'] })),
  ];
}

// Where a package repository is known.
function commitPanel(name, signal) {
  return later(runSql(commits_sql, { package: name }, signal), (data) => data.rows.length > 0 &&
    panel('Commits of its recipe', 'What happened to the recipe in the package repository, the newest first.',
      table(data, { name: 'commits', height: 260 })));
}

function coveragePanels(name, at, signal) {
  const given = { at, package: exactly(name) };
  return [
    install(name),
    panel('Builds', 'Click a value to show only the builds that have it.',
      later(runSql(specs_sql, { at, package: name }, signal), specsView)),
    element('div', { class: 'columns' },
      barPanel('Versions', 'version', ask('coverage/versions', given, signal).then((data) => without(data, ['package'])), {
        link: (version) => filteredPackage(name, 'version', version),
      }),
      panel('Options that vary', null, tableLater(ask('coverage/variants', given, signal).then(varying), { name: 'variants', height: 300 }))),
    element('div', { class: 'flow' }, barPanel('Stacks', 'stack', ask('coverage/stacks', given, signal), { link: stackLink }),
      systemPanels(given, signal)),
  ];
}

export function packagePage({ at, name, signal }) {
  if (!about.packages.includes(name)) return nearestPage('package', name);
  const given = { at, package: exactly(name) };
  const summary = ask('coverage/summary', given, signal);
  const is_there = (data) => objects(data)[0].specs > 0;
  return [
    pageTitle(name, code(at), ' · ', later(summary, (data) =>
      element('span', {}, is_there(data) ? countsOf(objects(data)[0], words_of_package) : 'not in this snapshot'))),
    later(summary, (data) => is_there(data) && coveragePanels(name, at, signal)),
    ...historyPanels(name, { package: exactly(name) }, at, signal),
    commitPanel(name, signal),
    later(summary, (data) => is_there(data) && [
      dependencyPanels(name, at, signal), reportPanel('coverage/redundancy', given, signal, { height: 300, without: ['package'] })]),
  ];
}

// A stack: what it has and lacks, what its list wants, and its life.

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
    : tableLater(runSql(missing_sql, { at, stack: name }, signal), { name: 'missing wishes', height: 360 }),
  openable('When each wish was met', null,
    () => reportTable('history/wishes', { stack: exactly(name) }, signal, { height: 360, without: ['stack'] })));
}

const words_of_stack = { packages: 'package', versions: 'version', specs: 'build' };

function contents(name, given, at, signal) {
  return [
    element('section', { class: 'panel set-up', 'aria-label': 'Set-up' }, mirrorLine([name], at, signal)),
    element('div', { class: 'flow' }, systemPanels(given, signal)),
    reportPanel('coverage/packages', given, signal, { height: 420, without: ['stack', 'stacks'] }),
  ];
}

export function stackPage({ at, name, signal }) {
  if (!about.stacks.includes(name)) return nearestPage('stack', name);
  const given = { at, stack: exactly(name) };
  const row = ask('coverage/stacks', { at }, signal).then((data) => objects(data).find((one) => one.stack === name));
  const before = snapshotBefore(at);
  return [
    pageTitle(name, code(at), ' · ',
      later(row, (found) => element('span', {}, found ? countsOf(found, words_of_stack) : 'not in this snapshot')),
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

// A compiler or a target: the packages, the stacks, and since when.
function useSentence(packages) {
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
    pageTitle(name, `${what} · `, at && code(at), ' · ', later(Promise.all([packages, times]), ([here, ever]) =>
      element('span', {}, ever.rows.length === 0 ? `the ledger has no build of this ${what}` : useSentence(here))),
      spec !== null && [' · ', element('a', { href: address('search', '', { q: spec }) }, 'its builds')]),
    later(packages, (data) => data.rows.length > 0 && element('div', { class: 'flow' },
      barPanel('By stack', 'stack', stacks, { value: 'builds', name: 'stacks', link: stackLink, none: '(not known)' }),
      barPanel(other_title, other, by_other, { value: 'builds' }))),
    panel('Since when', 'The first and the last snapshot of each series that has such a build.',
      tableLater(times.then(withWords), { name: 'times', height: 300 }),
      openable('In each stack', null, () =>
        tableLater(runSql(stack_times_sql, given, signal).then(withWords), { name: 'stack times', height: 360 }))),
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
