// What a build needs and what needs it, as trees with their numbers: each node asks for its own children when it is opened.
import count_builds_sql from '../../queries/tree/count_builds.sql';
import dependencies_sql from '../../queries/tree/dependencies.sql';
import dependents_sql from '../../queries/tree/dependents.sql';
import direct_dependents_sql from '../../queries/tree/direct_dependents.sql';
import { count, element, show } from '../../dom/element.js';
import { button, hashLink, later, muted, panel, problem, shortHash, versioned } from '../../dom/parts.js';
import { objects } from '../../data/ask.js';
import { directDependents, runReport, runSql, withDependencies, withDependents } from '../../data/ledger.js';
import { snapshotNamed } from '../../data/site.js';

const most_at_once = 100;

const words = (text) => (text ?? '').split(',').filter(Boolean);
const union = (a, b) => [...new Set([...a, ...b])].sort();

/// The rows of dependencies.sql or dependents.sql as nodes: several edges to one build are one.
function nodesOf(data) {
  const nodes = new Map();
  for (const row of objects(data)) {
    const known = nodes.get(row.spec_id);
    const [deptypes, virtuals] = [words(row.deptypes), words(row.virtuals)];
    nodes.set(row.spec_id, known ? { ...known, deptypes: union(known.deptypes, deptypes), virtuals: union(known.virtuals, virtuals),
      is_hashed: known.is_hashed || row.is_hashed } : { ...row, deptypes, virtuals });
  }
  return [...nodes.values()];
}

const smallButton = (label, act) => button(label, act, { class: 'quiet small' });
const chip = (text, title, kind = '') => element('span', { class: `chip ${kind}`, title }, text);

function marks(node) {
  return [
    node.deptypes.length > 0 && chip(node.deptypes.join(' '), 'Types of the dependency', 'type'),
    node.virtuals.length > 0 && chip(`as ${node.virtuals.join(', ')}`, 'The virtual packages that it provides there'),
    !node.is_hashed && chip('not part of the hash', 'It may be that of another lock file'),
    node.external === 1 ? chip('external', 'Not built by Spack')
      : !node.is_here && chip('not in this snapshot', 'The snapshot in view does not have this build', 'absent'),
    !node.is_known && chip('its dependencies are not known', 'No source describes it'),
  ];
}

// Opens all that is around an element, and goes there.
function reveal(made) {
  for (let place = made.parentElement; place && !place.matches('.tree'); place = place.parentElement) {
    if (place.matches('ul[hidden]')) place.parentElement.querySelector('button.toggle').click();
  }
  made.scrollIntoView({ block: 'center' });
  made.querySelector('a').focus();
}

class Tree {
  constructor({ sql, at, signal, root }) {
    Object.assign(this, { sql, at, signal });
    this.seen = new Map([[root, null]]);
  }

  children(spec_id) {
    return runSql(this.sql, { spec_id, at: this.at }, this.signal).then(nodesOf);
  }

  /// A list of nodes; those behind the first hundred come when they are asked for.
  list(nodes) {
    const made = element('ul', {});
    const add = (first) => {
      const next = nodes.slice(first, first + most_at_once);
      made.append(...next.map((node) => this.node(node)));
      const left = nodes.length - first - next.length;
      if (left === 0) return;
      const words = left > most_at_once ? `Show ${show(most_at_once)} of ${show(left)} more` : `Show ${show(left)} more`;
      const more = element('li', {}, smallButton(words, () => {
        more.remove();
        add(first + most_at_once);
      }));
      made.append(more);
    };
    add(0);
    return made;
  }

  node(node) {
    const line = element('div', { class: 'node' });
    const made = element('li', {}, line);
    const before = this.seen.get(node.spec_id);
    const is_seen = this.seen.has(node.spec_id);
    if (!is_seen) this.seen.set(node.spec_id, made);
    line.append(
      node.opens && !is_seen ? this.toggle(node, made) : element('span', { class: 'leaf', 'aria-hidden': 'true' }, '·'),
      hashLink(node.hash, [versioned(node), ' ', element('span', { class: 'muted' }, shortHash(node.hash))]),
      ...marks(node).filter(Boolean),
      ...(is_seen && node.opens ? [before
        ? smallButton('shown already', () => reveal(before))
        : chip('the build of this page')] : []));
    return made;
  }

  toggle(node, made) {
    let list = null;
    const opener = button('', () => {
      const opens = opener.getAttribute('aria-expanded') === 'false';
      opener.setAttribute('aria-expanded', String(opens));
      if (list) {
        list.hidden = !opens;
        return;
      }
      list = element('ul', { 'aria-busy': 'true' });
      made.append(list);
      this.children(node.spec_id).then((nodes) => this.list(nodes), (error) => element('ul', {}, element('li', {}, problem(error))))
        .then((next) => {
          next.hidden = list.hidden;
          list.replaceWith(next);
          list = next;
        });
    }, { class: 'toggle', 'aria-expanded': 'false', 'aria-label': `Open ${versioned(node)} ${shortHash(node.hash)}` });
    return opener;
  }
}

/// The tree below a build. `nodes` are its children; `sql` asks for those of any other.
function buildTree(nodes, { sql, spec_id, at, signal, label }) {
  const tree = new Tree({ sql, at, signal, root: spec_id });
  return element('div', { class: 'tree', role: 'group', 'aria-label': label }, tree.list(nodes));
}

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
  place.append(button('Count all that need it', () => {
    const answer = directDependents([spec_id], signal).then(async (direct) => [
      await countBuilds(direct, at, signal), await countBuilds(await withDependents(direct, signal), at, signal)]);
    place.replaceChildren(later(answer, ([direct, all]) => element('span', {},
      `In this snapshot ${show(direct.here)} directly, ${show(all.here)} in all, of ${count(all.packages_here, 'package')}.`)));
  }, { class: 'quiet small count-all' }));
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
    place.append(element('p', { class: 'counted' }, `${count(builds, 'build')} of the ledger need it directly. `,
      smallButton('List them', () => place.replaceChildren(dependentTree(build, node)))),
    element('p', { class: 'counted' }, countAll(node.spec_id, node.at, node.signal)));
    return [place, doubt(node.at)];
  }));
}
