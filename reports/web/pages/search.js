// All that matches a text: names by kind, and the builds of a spec; and the page of a name that the ledger does not have.
import { count, element, show } from '../dom/element.js';
import { code, later, muted, pageTitle, panel } from '../dom/parts.js';
import { objects, without } from '../data/ask.js';
import { address } from '../shell/address.js';
import { tellSearched } from '../shell/search.js';
import { buildsByHash, hashOf, namesLike, namesNear, specOf } from '../shell/search_text.js';
import { AskError, findBuilds } from '../spec/find.js';
import { table } from '../table/table.js';

/// The entry of a name in a list; `note` says more of it.
const nameItem = ({ text, note, href }) =>
  element('li', {}, element('a', { href }, text), note && element('span', { class: 'muted' }, ` ${note}`));

/// That there is no such thing, and the names that are nearest to it.
function nearestNames(words, name) {
  const near = namesNear(name);
  return element('div', {}, element('p', {}, near.length > 0 ? `${words} Nearest: ` : words),
    element('ul', { class: 'names' }, near.map(nameItem)));
}

/// `kind` is what the address says that the name is: "package", "stack".
export const nearestPage = (kind, name) => [pageTitle(name), nearestNames(`The ledger has no ${kind} of this name.`, name)];

const most_names = 60;       // of each kind
const most_hashes = 200;

const examples = ['hdf5', 'hdf5@1.14:', 'hdf5 +mpi %gcc@13', 'hdf5 ^zlib@1.3', '@1.2: target=x86_64_v3:', 'py-* %clang', '/abc12'];

function help() {
  const what = 'A package, a spec as in Spack, a hash or its beginning, a stack, a target, a compiler, a version, a snapshot or a report.';
  return [pageTitle('Search', what), panel('For example', null, element('ul', { class: 'names' }, examples.map((text) =>
    element('li', {}, element('a', { href: address('search', '', { q: text }) }, code(text))))))];
}

function namePanel({ title, total, entries }) {
  return panel(title, total > entries.length ? `The first ${show(entries.length)} of ${show(total)}.` : null,
    element('ul', { class: 'names' }, entries.map(nameItem)));
}

// Columns of which all builds have the same value say it once.
function buildsTable({ builds, count: total }) {
  const is_of_one = new Set(objects(builds).map((row) => row.package)).size === 1;
  return [
    total > builds.rows.length && muted(`The first ${show(builds.rows.length)} of ${show(total)}.`),
    table(is_of_one ? without(builds, ['package']) : builds, { name: 'builds', height: 460 }),
  ];
}

function buildsPanel(found, at) {
  const { count: total, asked, remarks, nearest } = found;
  return panel(total > 0 ? count(total, 'build') : 'No build matches', [code(asked === '' ? '*' : asked), ' at ', code(at)],
    remarks.map((text) => muted(text)), total > 0 ? buildsTable(found) : nearest && nearest.rows.length > 0 && [
      element('h3', {}, 'The nearest builds, and what differs'), table(nearest, { name: 'nearest', height: 260 })]);
}

// A text that is no spec is told why, in the program's words.
async function answer(spec, at, signal) {
  try {
    return { found: await findBuilds(spec, at, signal), problem: null };
  } catch (error) {
    if (error instanceof AskError) return { found: null, problem: error.message };
    throw error;
  }
}

function hashPanel(hash, data) {
  if (data.rows.length === 0) return null;
  const cut = data.rows.length === most_hashes ? `, the first ${show(most_hashes)}` : '';
  return panel('Hashes', `All builds that the ledger knows whose hash begins with ${hash}${cut}.`,
    table(data, { name: 'hashes', height: 360 }));
}

const nothing = (text) => element('section', { class: 'panel' }, nearestNames('Nothing matches.', text));

export function searchPage({ at, given, signal }) {
  const text = (given.get('q') ?? '').trim();
  tellSearched(text);
  if (text === '') return help();
  const names = namesLike(text, most_names);
  const hash = hashOf(text);
  const spec = at === null ? null : specOf(text);
  return [
    pageTitle(`Search: ${text}`, 'All that matches, by kind.'),
    spec !== null && later(answer(spec, at, signal), ({ found, problem }) => (found ? buildsPanel(found, at)
      : element('p', { class: 'panel error', role: 'alert' }, problem))),
    hash !== null && later(buildsByHash(hash, most_hashes, signal), (data) =>
      hashPanel(hash, data) ?? (names.length === 0 && spec === null && nothing(text))),
    names.map(namePanel),
    names.length === 0 && spec === null && hash === null && nothing(text),
  ].flat();
}
