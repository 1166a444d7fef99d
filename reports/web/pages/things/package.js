// One package in one snapshot.
import found_sql from '../../queries/build/found.sql';
import commits_sql from '../../queries/commits.sql';
import dependencies_sql from '../../queries/dependencies.sql';
import known_sql from '../../queries/known.sql';
import specs_sql from '../../queries/specs.sql';
import { count, element } from '../../dom/element.js';
import { code, later, muted, openable, pageTitle, panel } from '../../dom/parts.js';
import { ask, exactly, objects, where, without } from '../../data/ask.js';
import { runSql } from '../../data/ledger.js';
import { about, snapshotNamed } from '../../data/site.js';
import { address, stackLink } from '../../shell/address.js';
import { barPanel } from '../../charts/figure.js';
import { growth } from '../../charts/growth.js';
import { reportPanel, reportTable } from '../reports.js';
import { nearestPage } from '../search.js';
import { command } from './build.js';
import { dependencyPanel, dependentPanel } from './tree.js';
import { filteredPackage, variantWords } from '../../table/selection.js';
import { table } from '../../table/table.js';

function sentence(summary) {
  const [row] = objects(summary);
  const words = [['specs', 'build'], ['versions', 'version'], ['stacks', 'stack'], ['targets', 'target'], ['compilers', 'compiler'],
    ['looks', 'look']];
  return words.filter(([column]) => row[column] != null).map(([column, one]) => count(row[column], one)).join(' · ');
}

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
      openable('List them', null, () => later(runSql(dependencies_sql, { at, package: name }, signal),
        (data) => table(data, { name: 'dependencies', height: 360 })))),
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
  const variants = ask('coverage/variants', given, signal);
  return [
    install(name),
    panel('Builds', 'Click a value to show only the builds that have it.',
      later(runSql(specs_sql, { at, package: name }, signal), specsView)),
    element('div', { class: 'columns' },
      barPanel('Versions', 'version', ask('coverage/versions', given, signal).then((data) => without(data, ['package'])), {
        link: (version) => filteredPackage(name, 'version', version),
      }),
      panel('Options that vary', null, later(variants, (data) => table(varying(data), { name: 'variants', height: 300 })))),
    element('div', { class: 'flow' },
      barPanel('Stacks', 'stack', ask('coverage/stacks', given, signal), { link: stackLink }),
      barPanel('Targets', 'target', ask('coverage/targets', given, signal)),
      barPanel('Compilers', 'compiler', ask('coverage/compilers', given, signal))),
  ];
}

export function packagePage({ at, name, signal }) {
  if (!about.packages.includes(name)) return nearestPage('package', name);
  const given = { at, package: exactly(name) };
  const summary = ask('coverage/summary', given, signal);
  const is_there = (data) => objects(data)[0].specs > 0;
  return [
    pageTitle(name, code(at), ' · ', later(summary, (data) =>
      element('span', {}, is_there(data) ? sentence(data) : 'not in this snapshot'))),
    later(summary, (data) => is_there(data) && coveragePanels(name, at, signal)),
    ...historyPanels(name, { package: exactly(name) }, at, signal),
    commitPanel(name, signal),
    later(summary, (data) => is_there(data) && [
      dependencyPanels(name, at, signal), reportPanel('coverage/redundancy', given, signal, { height: 300, without: ['package'] })]),
  ];
}
