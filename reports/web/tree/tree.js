// A tree of builds that opens on demand: each node asks for its own children when it is opened.
import { element } from '../dom/element.js';
import { show } from '../dom/format.js';
import { problem } from '../dom/parts.js';
import { objects } from '../data/ask.js';
import { runSql } from '../data/ledger.js';
import { hashLink, shortHash, versioned } from '../pages/things/build/link.js';

const most_at_once = 100;

const words = (text) => (text ?? '').split(',').filter(Boolean);
const union = (a, b) => [...new Set([...a, ...b])].sort();

/// The rows of dependencies.sql or dependents.sql as nodes: several edges to one build are one.
export function nodesOf(data) {
  const nodes = new Map();
  for (const row of objects(data)) {
    const known = nodes.get(row.spec_id);
    const [deptypes, virtuals] = [words(row.deptypes), words(row.virtuals)];
    nodes.set(row.spec_id, known ? { ...known, deptypes: union(known.deptypes, deptypes), virtuals: union(known.virtuals, virtuals),
      is_hashed: known.is_hashed || row.is_hashed } : { ...row, deptypes, virtuals });
  }
  return [...nodes.values()];
}

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
      const more = element('li', {}, element('button', {
        type: 'button', class: 'quiet small', onclick: () => {
          more.remove();
          add(first + most_at_once);
        },
      }, left > most_at_once ? `Show ${show(most_at_once)} of ${show(left)} more` : `Show ${show(left)} more`));
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
        ? element('button', { type: 'button', class: 'quiet small', onclick: () => reveal(before) }, 'shown already')
        : chip('the build of this page')] : []));
    return made;
  }

  toggle(node, made) {
    let list = null;
    const button = element('button', {
      type: 'button', class: 'toggle', 'aria-expanded': 'false', 'aria-label': `Open ${versioned(node)} ${shortHash(node.hash)}`,
    });
    button.addEventListener('click', () => {
      const opens = button.getAttribute('aria-expanded') === 'false';
      button.setAttribute('aria-expanded', String(opens));
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
    });
    return button;
  }
}

/// The tree below a build. `nodes` are its children; `sql` asks for those of any other.
export function buildTree(nodes, { sql, spec_id, at, signal, label }) {
  const tree = new Tree({ sql, at, signal, root: spec_id });
  return element('div', { class: 'tree', role: 'group', 'aria-label': label }, tree.list(nodes));
}
