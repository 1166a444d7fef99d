// What changed between two snapshots, and why.
import { element } from '../dom/element.js';
import { later, pageTitle, panel } from '../dom/parts.js';
import { ask } from '../data/ask.js';
import { about, snapshotBefore } from '../data/site.js';
import { address } from '../shell/address.js';
import { snapshotOptions } from '../shell/shell.js';
import { causes } from '../charts/causes.js';
import { whyGraph } from '../charts/why_graph.js';
import { table } from '../table/table.js';
import { inShort, reportOpenable, reportTable } from './report_panel.js';

const lists = ['packages', 'versions', 'targets', 'compilers', 'variants', 'rebuilt', 'copies', 'stacks', 'specs', 'unobserved'];

function choice(label, value, options, choose) {
  const made = element('select', { onchange: () => choose(made.value) }, options);
  made.value = value;
  return element('label', {}, element('span', {}, label), made);
}

function pairForm(from, to, stack) {
  const go = (given) => { location.hash = address('drift', '', { from, to, stack, ...given }); };
  const stacks = [element('option', { value: '' }, 'the whole cache'), ...about.stacks.map((name) => element('option', { value: name }, name))];
  return element('div', { class: 'form' },
    choice('From', from, snapshotOptions(), (value) => go({ from: value })),
    element('button', {
      type: 'button', class: 'quiet', title: 'Swap the two', 'aria-label': 'Swap the two snapshots', onclick: () => go({ from: to, to: from }),
    }, '⇄'),
    choice('To', to, snapshotOptions(), (value) => go({ to: value })),
    choice('Within', stack ?? '', stacks, (value) => go({ stack: value })));
}

// The pair that the address asks for; else the default pair, or the one that ends in the snapshot in view.
function askedPair(given, at) {
  const is_default = at === about.at && about.from !== null;
  const to = given.get('to') ?? (is_default ? about.to : at);
  const others = about.snapshots.map((one) => one.name).filter((name) => name !== to);
  const from = given.get('from') ?? (is_default ? about.from : snapshotBefore(to)?.name ?? others.at(-1));
  return { from, to };
}

export function drift({ at, given, signal }) {
  const { from, to } = askedPair(given, at);
  const stack = given.get('stack');
  if (!from || !to) {
    return about.snapshots.length < 2 ? [pageTitle('Drift'), element('p', {}, 'The ledger has no two snapshots to compare.')]
      : [pageTitle('Drift', 'Choose the two snapshots to compare.'), pairForm(from, to, stack)];
  }
  const pair = { from, to, stack };
  const link = (cause) => address('report', 'drift/specs', { ...pair, cause });
  const summary = later(ask('drift/summary', pair, signal), (data) => [
    causes(data, link), table(data, { name: 'causes', totals: ['added', 'removed'] })]);
  return [
    pageTitle('Drift', 'What changed between two snapshots, and the cause of each change.'), pairForm(from, to, stack),
    panel('By cause', inShort('drift/summary'), summary),
    panel('Why builds were rebuilt', 'What changed at the bottom of builds that look as before. The reason of the most builds comes first.',
      whyGraph(pair, signal), reportTable('drift/why', pair, signal, { height: 360 })),
    element('section', { class: 'panel lists' }, element('header', {}, element('h2', {}, 'Lists')),
      lists.map((name) => reportOpenable(`drift/${name}`, pair, signal))),
  ];
}
