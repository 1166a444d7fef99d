// The first page: what the cache holds, what changed, and where it is built.
import { element } from '../dom/element.js';
import { count, show } from '../dom/format.js';
import { later, pageTitle, panel } from '../dom/parts.js';
import { ask, objects } from '../data/ask.js';
import { about, snapshotBefore, snapshotNamed } from '../data/site.js';
import { address } from '../shell/address.js';
import { bars } from '../charts/bars.js';
import { causes } from '../charts/causes.js';
import { growth } from '../charts/growth.js';
import { sparkline } from '../charts/sparkline.js';
import { table } from '../table/table.js';

const tiles = [
  ['packages', 'Packages'], ['specs', 'Specs'], ['versions', 'Versions'], ['stacks', 'Stacks'], ['targets', 'Targets'],
  ['compilers', 'Compilers'],
];

function change(now, before) {
  if (now == null || before == null) return null;
  if (now === before) return element('small', { class: 'muted' }, 'no change');
  const [word, sign] = now > before ? ['up', '▲'] : ['down', '▼'];
  return element('small', { class: word }, `${sign} ${show(Math.abs(now - before))}`);
}

function tileList([now, before, history], at) {
  const [here, earlier] = [objects(now)[0], before && objects(before)[0]];
  const line = objects(history).filter((row) => row.series === snapshotNamed(at).series && row.taken_at <= snapshotNamed(at).taken_at);
  const tile = ([column, title]) => element('div', { class: 'tile' }, element('dt', {}, title),
    element('dd', {}, show(here[column]), change(here[column], earlier?.[column])),
    sparkline(line.map((row) => row[column]).filter((value) => value != null)));
  return element('dl', { class: 'tiles' }, tiles.map(tile));
}

// The snapshot in view since the one before; where it is the first of its series, the default pair of the site.
function lastPair(at, before) {
  if (before) return { from: before.name, to: at };
  return at === about.at && about.from !== null ? { from: about.from, to: about.to } : null;
}

function lastChange(pair, signal) {
  const link = (cause) => address('report', 'drift/specs', { ...pair, cause });
  return panel('What changed last', [element('code', {}, pair.from), ' → ', element('code', {}, pair.to)],
    later(ask('drift/summary', pair, signal), (summary) => causes(summary, link)),
    element('p', {}, element('a', { href: address('drift', '', pair) }, 'The whole drift, with its lists →')));
}

function where(report, title, label, link, at, signal) {
  return panel(title, null, later(ask(report, { at }, signal),
    (data) => bars(data, { label, value: 'specs', name: title.toLowerCase(), link })));
}

// Where the ledger knows the lists of stacks.
function wishes(at, signal) {
  return later(ask('coverage/wishes', { at }, signal), (data) => data.rows.length > 0 && panel('What stacks should have',
    ['The specs that the list of each stack wanted, and how many of them its builds meet. ',
      element('a', { class: 'more', href: address('report', 'coverage/wishes') }, 'as a report')],
    table(data, { name: 'wishes', height: 320 })));
}

export function overview({ at, signal }) {
  const before = snapshotBefore(at);
  const last = lastPair(at, before);
  const history = ask('history/growth', {}, signal);
  const summaries = [ask('coverage/summary', { at }, signal), before && ask('coverage/summary', { at: before.name }, signal), history];
  const stacks = (stack) => address('stack', stack);
  return [
    pageTitle(about.title, element('code', {}, at), ' · ',
      `${count(about.snapshots.length, 'snapshot')} in the ledger`, before && ' · change since ', before && element('code', {}, before.name)),
    later(Promise.all(summaries), (results) => tileList(results, at)),
    later(history, (data) => {
      const chart = growth(data, { name: 'growth' });
      return chart && panel('Growth', null, chart);
    }),
    last && lastChange(last, signal),
    wishes(at, signal),
    element('div', { class: 'flow' }, where('coverage/stacks', 'Builds by stack', 'stack', stacks, at, signal),
      where('coverage/targets', 'Builds by target', 'target', () => null, at, signal),
      where('coverage/compilers', 'Builds by compiler', 'compiler', () => null, at, signal)),
  ];
}
