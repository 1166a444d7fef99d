// One package in one snapshot.
import commits_sql from '../queries/commits.sql';
import specs_sql from '../queries/specs.sql';
import dependencies_sql from '../queries/dependencies.sql';
import known_sql from '../queries/known.sql';
import { element } from '../dom/element.js';
import { count } from '../dom/format.js';
import { copyButton, later, openable, pageTitle, panel } from '../dom/parts.js';
import { ask, exactly, objects, without } from '../data/ask.js';
import { runSql } from '../data/ledger.js';
import { about, snapshotNamed } from '../data/site.js';
import { bars } from '../charts/bars.js';
import { growth } from '../charts/growth.js';
import { variantWords } from '../table/kinds.js';
import { table } from '../table/table.js';
import { reportPanel, reportTable } from './report_panel.js';

function sentence(summary) {
  const [row] = objects(summary);
  const words = [['specs', 'build'], ['versions', 'version'], ['stacks', 'stack'], ['targets', 'target'], ['compilers', 'compiler'],
    ['looks', 'look']];
  return words.filter(([column]) => row[column] != null).map(([column, one]) => count(row[column], one)).join(' · ');
}

// A name that is none of Spack's is not put into a command.
function install(name) {
  if (!/^\w[\w-]*$/.test(name)) return null;
  const command = `spack install --cache-only ${name}`;
  return element('p', { class: 'install' }, element('code', {}, command), copyButton('Copy', command, { class: 'quiet' }));
}

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
function varying(variants) {
  const { columns, rows } = variants;
  const [specs, of] = ['specs', 'of'].map((column) => columns.indexOf(column));
  return without({ columns, rows: rows.filter((row) => row[specs] !== row[of]) }, ['package']);
}

function dependencyPanels(name, at, signal) {
  return later(runSql(known_sql, { at, package: name }, signal), ({ rows: [[known]] }) => known === 1 ? [
    panel('Dependencies', 'What its builds need, as far as the ledger knows.',
      later(runSql(dependencies_sql, { at, package: name }, signal), (data) => table(data, { name: 'dependencies', height: 360 }))),
    panel('Dependents', 'The builds of the snapshot that need it, directly or through others.',
      openable('List them', null, () => reportTable('audit/dependents', { at, spec: name }, signal))),
  ] : panel('Dependencies', null, element('p', { class: 'muted' },
    'The dependencies of its builds are not known: pages do not list them, indexes of build caches do.')));
}

function historyPanels(name, given, at, signal) {
  const series = snapshotNamed(at)?.series;   // the growth of others would be read, too
  return [
    later(ask('history/growth', series ? { ...given, series: exactly(series) } : given, signal), (data) => {
      const chart = growth(data, { only: snapshotNamed(at).series, name: 'package growth' });
      return chart && panel('History', `Builds of ${name} in the series ${snapshotNamed(at).series}.`, chart);
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
      panel('Versions', null, later(ask('coverage/versions', given, signal),
        (data) => table(without(data, ['package']), { name: 'versions', height: 300 }))),
      panel('Options that vary', null, later(variants, (data) => table(varying(data), { name: 'variants', height: 300 })))),
    element('div', { class: 'flow' },
      barPanel('Stacks', 'stack', ask('coverage/stacks', given, signal)),
      barPanel('Targets', 'target', ask('coverage/targets', given, signal)),
      barPanel('Compilers', 'compiler', ask('coverage/compilers', given, signal))),
  ];
}

function barPanel(title, label, data) {
  return panel(title, null, later(data, (rows) => bars(rows, { label, value: 'specs', name: title.toLowerCase() })));
}

export function packagePage({ at, name, signal }) {
  if (!about.packages.includes(name)) return [pageTitle(name), element('p', {}, 'The ledger has no package of this name.')];
  const given = { at, package: exactly(name) };
  const summary = ask('coverage/summary', given, signal);
  const is_there = ({ columns, rows }) => rows[0][columns.indexOf('specs')] > 0;
  return [
    pageTitle(name, element('code', {}, at), ' · ', later(summary, (data) =>
      element('span', {}, is_there(data) ? sentence(data) : 'not in this snapshot'))),
    later(summary, (data) => is_there(data) && coveragePanels(name, at, signal)),
    ...historyPanels(name, { package: exactly(name) }, at, signal),
    commitPanel(name, signal),
    later(summary, (data) => is_there(data) && [
      dependencyPanels(name, at, signal), reportPanel('coverage/redundancy', given, signal, { height: 300, without: ['package'] })]),
  ];
}
