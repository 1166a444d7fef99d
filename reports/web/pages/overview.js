// The first page: what changed, what the cache holds, how it grew, and where it is built. All of it is of one series.
import { count, element, show, showTime } from '../dom/element.js';
import { code, later, muted, pageTitle, panel } from '../dom/parts.js';
import { ask, objects, ofSeries, where } from '../data/ask.js';
import { about, snapshotBefore, snapshotNamed, snapshotsOf } from '../data/site.js';
import { address, chosenPair } from '../shell/address.js';
import { barPanel, bars, causes, sparkline } from '../charts/figure.js';
import { growth } from '../charts/growth.js';
import { said, wordsOf } from '../words/words.js';

// Where each number leads: to the list of what it counts.
const tiles = [
  ['packages', 'Packages', () => address('report', 'coverage/packages')], ['specs', 'Builds', () => address('matrix')],
  ['versions', 'Versions', () => address('report', 'coverage/versions')], ['stacks', 'Stacks', () => address('report', 'coverage/stacks')],
  ['targets', 'Targets', () => address('report', 'coverage/targets')], ['compilers', 'Compilers', () => address('report', 'coverage/compilers')],
];

function change(now, before) {
  if (now == null || before == null) return null;
  if (now === before) return element('small', { class: 'muted' }, 'no change');
  const [word, sign] = now > before ? ['up', '▲'] : ['down', '▼'];
  return element('small', { class: word }, `${sign} ${show(Math.abs(now - before))}`);
}

function tileList([now, before, history], at) {
  const [here, earlier] = [objects(now)[0], before && objects(before)[0]];
  const line = objects(history).filter((row) => row.taken_at <= snapshotNamed(at).taken_at);
  const tile = ([column, title, link]) => element('div', { class: 'tile' }, element('dt', {}, title),
    element('dd', {}, element('a', { href: link() }, show(here[column])), change(here[column], earlier?.[column])),
    sparkline(line.map((row) => row[column]).filter((value) => value != null)));
  return element('dl', { class: 'tiles' }, tiles.map(tile));
}

// The first snapshot of a series. Another series may have changed; its page says so.
function nothingBefore(at, series) {
  return element('section', { class: 'panel' }, element('p', {}, code(at), ` is the ${snapshotsOf(series).length === 1 ? 'only' : 'first'} snapshot of `,
    code(series), ', so there is no change to show.'),
    about.from !== null && element('p', {}, element('a', { href: address('drift', '', { from: about.from, to: about.to }) },
      'What changed from ', code(about.from), ' to ', code(about.to), ' →')));
}

function whatChanged(pair, signal) {
  return [
    element('section', { class: 'panel' }, later(wordsOf(pair, signal), (words) => said(words, pair)),
      muted(code(pair.from), ' → ', code(pair.to), ' · ', element('a', { href: address('drift', '', pair) }, 'all that changed →'))),
    panel('Builds added and removed, by cause', ['Since ', code(pair.from), '. A cause leads to its builds.'],
      later(ask('drift/summary', pair, signal), (summary) => causes(summary, pair))),
  ];
}

function growthPanel(history, series) {
  return snapshotsOf(series).length > 1 && panel(`Growth of ${series}`, 'A point leads to what changed since the one before.',
    later(history, (data) => growth(data, { name: 'growth', only: series })));
}

// The lists that the ledger knows are of other times.
const noListYet = (at) => panel('How much of what stacks want is there', [
  'No list of a stack was in force at the time of ', code(at), `. The lists that the ledger knows begin on ${showTime(about.wishes_since)}.`]);

// What the lists of stacks want and builds meet, where the ledger knows the lists. Lists of stacks that the snapshot has not are counted.
function wishes(at, signal) {
  return later(ask('coverage/wishes', { at }, signal), (data) => {
    const there = where(data, (row) => row.percent !== null);
    const others = data.rows.length - there.rows.length;
    if (data.rows.length === 0) return about.wishes_since !== null && noListYet(at);
    return panel('How much of what stacks want is there', [
      'Percent of the specs on the list of each stack that its builds meet. ',
      others > 0 && `The snapshot has no builds of ${count(others, 'more stack')} with a list. `,
      element('a', { class: 'more', href: address('report', 'coverage/wishes') }, 'as a report')],
    bars(there, { label: 'stack', value: 'percent', name: 'wishes', link: (stack) => address('stack', stack), whole: 100, all: data }));
  });
}

export function overview({ at, signal }) {
  const { series } = snapshotNamed(at);
  const before = snapshotBefore(at);
  const pair = chosenPair();
  const history = ask('history/growth', {}, signal).then((data) => ofSeries(data, series));
  const summaries = [ask('coverage/summary', { at }, signal), before && ask('coverage/summary', { at: before.name }, signal), history];
  const [words, by_cause] = pair.from === null ? [nothingBefore(at, series)] : whatChanged(pair, signal);
  return [
    pageTitle(about.title, code(at), ' · ', `${count(snapshotsOf(series).length, 'snapshot')} of ${series}`, before && ' · numbers compared with ', before && code(before.name)),
    words,
    later(Promise.all(summaries), (results) => tileList(results, at)),
    growthPanel(history, series),
    by_cause,
    element('div', { class: 'flow' },
      barPanel('Builds by stack', 'stack', ask('coverage/stacks', { at }, signal), {
        link: (stack) => (stack === '(no stack)' ? address('report', 'coverage/no-stack') : address('stack', stack)),
      }),
      ...['target', 'compiler'].map((what) => barPanel(`Builds by ${what}`, what, ask(`coverage/${what}s`, { at }, signal)))),
    wishes(at, signal),
  ];
}
