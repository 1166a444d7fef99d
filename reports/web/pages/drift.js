// What changed between two snapshots, and why.
import { element } from '../dom/element.js';
import { count } from '../dom/format.js';
import { later, openable, pageTitle, panel } from '../dom/parts.js';
import { ask } from '../data/ask.js';
import { about, reports, snapshotNamed } from '../data/site.js';
import { address, chosenPair } from '../shell/address.js';
import { snapshotOptions } from '../shell/shell.js';
import { causes } from '../charts/causes.js';
import { numbers } from '../charts/figure.js';
import { whyGraph } from '../charts/why_graph.js';
import { said } from '../words/said.js';
import { wordsOf } from '../words/words.js';
import { inShort, reportTable } from './report_panel.js';

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
    element('button', {
      type: 'button', class: 'quiet', title: 'Swap the two', 'aria-label': 'Swap the two snapshots', onclick: () => go({ from: to, to: from }),
    }, '⇄'),
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
    () => element('div', {}, element('p', { class: 'muted' }, inShort(report)), reportTable(report, pair, signal)));
}

// Between two series nothing comes or goes: each has what the other has not.
function ofTwoSeries({ from, to }) {
  const [before, after] = [from, to].map((name) => snapshotNamed(name).series);
  return before !== after && element('p', { class: 'muted' }, 'The two are of different series: "added" is what only ',
    element('code', {}, after), ' has, "removed" what only ', element('code', {}, before), ' has.');
}

// Of builds whose dependencies are not known there is one row without a reason; a sentence above says so.
function hasReasons(data) {
  const place = data.columns.indexOf('class');
  return data.rows.some((row) => row[place] !== 'unknown');
}

function why(pair, signal) {
  return later(ask('drift/why', pair, signal), (data) => hasReasons(data) && panel('Why builds have new hashes',
    ['What changed at the bottom of builds that look as before, the reason of the most builds first. ', element('code', {}, 'beside'),
      ': the build came beside an older one, which is still there. ', element('code', {}, 'recipe'), ': the recipe changed.'],
    whyGraph(pair, signal), reportTable('drift/why', pair, signal, { height: 360 })));
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
  const link = (cause) => address('report', 'drift/specs', { ...pair, cause });
  const summary = later(ask('drift/summary', pair, signal), (data) => [causes(data, link), numbers('causes', data)]);
  return [
    pageTitle('Drift', 'What changed from ', element('code', {}, from), ' to ', element('code', {}, to), stack && ' within ', stack && element('code', {}, stack)),
    pairForm(from, to, stack),
    element('section', { class: 'panel' }, later(words, (told) => said(told, pair)), ofTwoSeries(pair)),
    panel('Builds added and removed, by cause', [inShort('drift/summary'), ' A cause leads to its builds.'], summary),
    why(pair, signal),
    element('section', { class: 'panel lists' }, element('header', {}, element('h2', {}, 'Lists')),
      Object.keys(lists).map((name) => list(name, pair, words, signal))),
  ];
}
