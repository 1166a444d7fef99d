// What changed between two snapshots, and why.
import { count, element } from '../dom/element.js';
import { button, code, later, muted, openable, pageTitle, panel } from '../dom/parts.js';
import { ask, objects } from '../data/ask.js';
import { about, reports, snapshotNamed } from '../data/site.js';
import { address, chosenPair } from '../shell/address.js';
import { snapshotOptions } from '../shell/shell.js';
import { causes, numbers } from '../charts/figure.js';
import { picture } from '../charts/picture.js';
import { inShort, reportTable } from './reports.js';
import { said, wordsOf } from '../words/words.js';

// Each list, and the kinds of its rows.
const lists = {
  packages: ['package-added', 'package-removed'], versions: ['version-added', 'version-removed'], targets: ['target-changed'],
  compilers: ['compiler-changed'], variants: ['variants-changed'], rebuilt: ['rebuilt'], copies: ['copies-changed'],
  stacks: ['stack-joined', 'stack-left'], specs: ['spec-added', 'spec-removed'], unobserved: ['unobserved'],
};

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
    button('⇄', () => go({ from: to, to: from }), { title: 'Swap the two', 'aria-label': 'Swap the two snapshots' }),
    choice('To', to, snapshotOptions(), (value) => go({ to: value })),
    choice('Within', stack ?? '', stacks, (value) => go({ stack: value })));
}

// The pair in view. Where nothing is before the later one, the newest of the others.
function askedPair() {
  const { from, to } = chosenPair();
  const others = about.snapshots.map((one) => one.name).filter((name) => name !== to);
  return { from: from ?? others.at(-1), to };
}

// A list that is made when it is opened. How many rows it has stands beside its name before.
function list(name, pair, words, signal) {
  const report = `drift/${name}`;
  const number = words.then(({ counts }) => lists[name].reduce((sum, kind) => sum + counts[kind], 0));
  return openable(reports.get(report).title, later(number, (rows) => element('span', {}, rows === 0 ? 'none' : count(rows, 'row'))),
    () => element('div', {}, muted(inShort(report)), reportTable(report, pair, signal)));
}

// Between two series nothing comes or goes: each has what the other has not.
function ofTwoSeries({ from, to }) {
  const [before, after] = [from, to].map((name) => snapshotNamed(name).series);
  return before !== after && muted('The two are of different series: "added" is what only ', code(after), ' has, "removed" what only ',
    code(before), ' has.');
}

function why(pair, signal) {
  const link = (name) => address('package', name);
  // Of builds whose dependencies are not known there is one row without a reason; a sentence above says so.
  const hasReasons = (data) => objects(data).some((row) => row.class !== 'unknown');
  return later(ask('drift/why', pair, signal), (data) => hasReasons(data) && panel('Why builds have new hashes',
    ['What changed at the bottom of builds that look as before, the reason of the most builds first. ', code('beside'),
      ': the build came beside an older one, which is still there. ', code('recipe'), ': the recipe changed.'],
    later(ask('drift/why-graph', pair, signal), (graph) => picture('drift/why-graph', graph, { link })),
    reportTable('drift/why', pair, signal, { height: 360 })));
}

export function drift({ given, signal }) {
  const { from, to } = askedPair();
  const stack = given.get('stack');
  if (!from || !to) {
    return about.snapshots.length < 2 ? [pageTitle('Drift'), element('p', {}, 'The ledger has no two snapshots to compare.')]
      : [pageTitle('Drift', 'Choose the two snapshots to compare.'), pairForm(from, to, stack)];
  }
  const pair = { from, to, stack };
  const words = wordsOf(pair, signal);
  const summary = later(ask('drift/summary', pair, signal), (data) => [causes(data, pair), numbers('causes', data)]);
  return [
    pageTitle('Drift', 'What changed from ', code(from), ' to ', code(to), stack && [' within ', code(stack)]),
    pairForm(from, to, stack),
    element('section', { class: 'panel' }, later(words, (told) => said(told, pair)), ofTwoSeries(pair)),
    panel('Builds added and removed, by cause', [inShort('drift/summary'), ' A cause leads to its builds.'], summary),
    why(pair, signal),
    element('section', { class: 'panel lists' }, element('header', {}, element('h2', {}, 'Lists')),
      Object.keys(lists).map((name) => list(name, pair, words, signal))),
  ];
}
