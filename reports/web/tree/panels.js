// What a build needs and what needs it, as trees with their numbers.
import count_builds_sql from '../queries/tree/count_builds.sql';
import dependencies_sql from '../queries/tree/dependencies.sql';
import dependents_sql from '../queries/tree/dependents.sql';
import direct_dependents_sql from '../queries/tree/direct_dependents.sql';
import { element } from '../dom/element.js';
import { count, show } from '../dom/format.js';
import { later, panel } from '../dom/parts.js';
import { objects } from '../data/ask.js';
import { runReport, runSql } from '../data/ledger.js';
import { snapshotNamed } from '../data/site.js';
import { directDependents, withDependencies, withDependents } from '../data/walk.js';
import { buildTree, nodesOf } from './tree.js';

const muted = (...text) => element('p', { class: 'muted' }, text);

const countBuilds = async (spec_ids, at, signal) =>
  objects(await runReport([], count_builds_sql, { specs: JSON.stringify(spec_ids), at }, signal))[0];

function needs(direct, { builds, packages, here, external, unknown }) {
  const rest = [`${show(here)} of them in this snapshot`, external > 0 && `${show(external)} external`,
    unknown > 0 && `the dependencies of ${show(unknown)} are not known`].filter(Boolean);
  return [element('b', {}, `${show(direct)} directly, ${show(builds)} in all`), ` (${count(packages, 'package')}): ${rest.join(', ')}.`];
}

/// What it needs. `node` is {spec_id, at, signal}.
export function dependencyPanel(build, { spec_id, at, signal }) {
  if (!build.knows_dependencies) {
    return panel('Dependencies', null, muted('The dependencies of this build are not known: pages do not list them, indexes of build caches do.'));
  }
  const answer = runReport([], dependencies_sql, { spec_id, at }, signal).then(async (data) => {
    const nodes = nodesOf(data);
    const all = await withDependencies(nodes.map((node) => node.spec_id), 'all', signal);
    return { nodes, counted: await countBuilds(all, at, signal) };
  });
  return panel('Dependencies', null, later(answer, ({ nodes, counted }) => {
    if (nodes.length === 0) return muted('None.');
    return [element('p', { class: 'counted' }, needs(nodes.length, counted)),
      buildTree(nodes, { sql: dependencies_sql, spec_id, at, signal, label: `What ${build.package} needs` })];
  }));
}

const few_dependents = 500;   // more are asked for only when the reader wants them: they are all over the ledger

const counts = (deptypes) => deptypes.some((type) => type !== 'test');

// Only edges to build, link and run count, as in the command dependents.
function directWords(nodes) {
  const here = nodes.filter((node) => node.is_here && counts(node.deptypes)).length;
  const others = nodes.length - here;
  return [element('b', {}, `${count(here, 'build')} of this snapshot`), ` ${here === 1 ? 'needs' : 'need'} it directly`,
    others > 0 ? `; ${show(others)} more of the ledger do${others === 1 ? 'es' : ''}` : '', '. '];
}

// In all: counted when it is asked for, because it may read much of the ledger.
function countAll(spec_id, at, signal) {
  const place = element('span', {});
  const button = element('button', { type: 'button', class: 'quiet small count-all' }, 'Count all that need it');
  button.addEventListener('click', () => {
    const answer = directDependents([spec_id], signal).then(async (direct) => [
      await countBuilds(direct, at, signal), await countBuilds(await withDependents(direct, signal), at, signal)]);
    place.replaceChildren(later(answer, ([direct, all]) => element('span', {},
      `In this snapshot ${show(direct.here)} directly, ${show(all.here)} in all, of ${count(all.packages_here, 'package')}.`)));
  });
  place.append(button);
  return place;
}

// Where many builds may need it, and no source says so.
function doubt(at) {
  return snapshotNamed(at)?.kind === 'pages' && muted('This snapshot is of pages, which list no dependencies: others may need it, too.');
}

function dependentTree(build, { spec_id, at, signal }) {
  return later(runSql(dependents_sql, { spec_id, at }, signal), (data) => {
    const nodes = nodesOf(data);
    return [element('p', { class: 'counted' }, directWords(nodes), countAll(spec_id, at, signal)),
      buildTree(nodes, { sql: dependents_sql, spec_id, at, signal, label: `What needs ${build.package}` })];
  });
}

export function dependentPanel(build, node) {
  return panel('Dependents', null, later(runSql(direct_dependents_sql, { spec_id: node.spec_id }, node.signal), ({ rows: [[builds]] }) => {
    if (builds === 0) return [muted('No build whose dependencies are known needs it.'), doubt(node.at)];
    if (builds <= few_dependents) return [dependentTree(build, node), doubt(node.at)];
    const place = element('div', {});
    place.append(element('p', { class: 'counted' }, `${count(builds, 'build')} of the ledger need it directly. `, element('button', {
      type: 'button', class: 'quiet small', onclick: () => place.replaceChildren(dependentTree(build, node)),
    }, 'List them')), element('p', { class: 'counted' }, countAll(node.spec_id, node.at, node.signal)));
    return [place, doubt(node.at)];
  }));
}
