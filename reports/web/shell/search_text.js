// What a text that is searched for can be: a part of a name, a hash, a spec. The names came with the site; builds and versions are asked of
// the ledger.
import hashes_sql from '../queries/names/hashes.sql';
import { count } from '../dom/element.js';
import { shortHash, versioned } from '../dom/parts.js';
import { groupBy, objects } from '../data/ask.js';
import { runSql } from '../data/ledger.js';
import { about, reports } from '../data/site.js';
import { address } from './address.js';
import { AskError, findBuilds, isNarrow } from '../spec/find.js';
import { nearestNames } from '../spec/names.js';
import { filteredPackage } from '../table/selection.js';

// The names that a text is a part of. All of them came with the site: nothing is asked of the ledger.
const pageOf = (page) => (name) => address(page, name);

const kinds = [
  { title: 'Packages', names: about.packages, link: pageOf('package') },
  { title: 'Stacks', names: about.stacks, link: pageOf('stack') },
  { title: 'Targets', names: about.targets, link: pageOf('target') },
  { title: 'Compilers', names: [...about.compilers].reverse(), link: pageOf('compiler'), is_in_order: true },
  {
    title: 'Snapshots', names: about.snapshots.map((one) => one.name).reverse(), link: (name) => address('', '', { at: name }),
    is_in_order: true,
  },
  { title: 'Reports', names: [...reports.keys()], link: pageOf('report'), note: (name) => reports.get(name).title },
];

const entryOf = ({ link, note }, name) => ({ text: name, note: note?.(name) ?? '', href: link(name) });

// Names that begin with the text come first, then those that have it after a '-', then the others; the shorter ones first, of compilers and
// snapshots the newest.
function found({ names, note, is_in_order }, words) {
  const [first] = words;
  const place = (name) => (name.startsWith(first) ? 0 : name.includes(`-${first}`) ? 1 : 2);
  const has = (name) => words.every((word) => name.toLowerCase().includes(word) || note?.(name).toLowerCase().includes(word));
  return names.filter(has).sort((a, b) => place(a) - place(b) || (is_in_order ? 0 : a.length - b.length));
}

/// Groups of names that have all words of the text: [{title, total, entries: [{text, note, href}]}], at most so many entries in each.
/// "%gcc@13" and "target=zen4" are the compiler and the target.
export function namesLike(text, most) {
  const words = text.trim().toLowerCase().replace(/^(%|target=|os=)/, '').split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const groups = kinds.map((kind) => {
    const names = found(kind, words);
    return { title: kind.title, total: names.length, entries: names.slice(0, most).map((name) => entryOf(kind, name)) };
  });
  return groups.filter(({ total }) => total > 0);
}

/// The names that are nearest to a text that none has, as entries.
export function namesNear(text) {
  const near = nearestNames(text, [...new Set(kinds.flatMap(({ names }) => names))]);
  return near.map((name) => entryOf(kinds.find(({ names }) => names.includes(name)), name));
}

/// A spec has one of Spack's signs, or a pattern's.
const isSpec = (text) => /[@+~%^=*?[]|(^|\s)[/-]/.test(text);

/// "1.14.3", "develop": a version of any package.
const isVersion = (text) => /^\d+(\.[\w.-]*)?$|^(develop|main|master|stable)$/.test(text) && !about.packages.includes(text);

const fewest_digits = 4;   // of a hash without '/': shorter ones are words

/// The hash, or the beginning of one, that the text is; null if it is none. Without '/' it must have a digit, or be no part of a name.
export function hashOf(text) {
  const [, slash, hash] = /^(\/?)([a-z2-7]{1,32})$/.exec(text) ?? [];
  if (hash === undefined || slash !== '') return hash ?? null;
  return hash.length >= fewest_digits && !isVersion(text) && (/\d/.test(hash) || namesLike(text, 1).length === 0) ? hash : null;
}

/// Whether only the ledger knows what a text that is typed means. For the name of a package the names are enough.
export const asksLedger = (text) => hashOf(text) !== null || isVersion(text) || isSpec(text);

/// The spec whose builds a text asks for; null if it asks for none.
export function specOf(text) {
  if (isVersion(text)) return `@${text}`;
  return isSpec(text) || about.packages.includes(text) ? text : null;
}

const most = 6;

/// The builds of the ledger whose hash begins so: {columns, rows}.
export const buildsByHash = (hash, limit, signal) => runSql(hashes_sql, { hash, most: limit }, signal);

async function hashGroup(hash, signal) {
  const builds = objects(await buildsByHash(hash, most, signal));
  const entry = (build) => ({ text: shortHash(build.hash), note: versioned(build), href: address('build', build.hash) });
  return { title: 'Builds', entries: builds.map(entry) };
}

function versionGroup(builds) {
  const groups = [...groupBy(builds, (build) => JSON.stringify([build.package, build.version])).values()].slice(0, most);
  const entries = groups.map(([build, ...others]) => ({
    text: versioned(build), note: count(1 + others.length, 'build'), href: filteredPackage(build.package, 'version', build.version ?? ''),
  }));
  return { title: 'Versions', entries };
}

function buildGroup(text, found, builds) {
  const all = { text: count(found.count, 'build matches', 'builds match'), note: found.asked, href: address('search', '', { q: text }) };
  const each = builds.map((build) => ({
    text: shortHash(build.hash), note: [versioned(build), build.compiler && `%${build.compiler}`, build.target].filter(Boolean).join(' '),
    href: address('build', build.hash),
  }));
  return { title: 'Builds', entries: builds.length <= most ? [all, ...each] : [all] };
}

function nearGroup({ nearest }) {
  const entries = objects(nearest).map(({ differs, hash }) => ({ text: shortHash(hash), note: differs, href: address('build', hash) }));
  return { title: 'No build matches. Nearest', entries, is_near: true };
}

async function specGroups(text, spec, at, signal) {
  // The builds of any package are many: they are looked for when the reader asks for them.
  if (!(await isNarrow(spec, signal))) {
    return [{ title: 'Builds', entries: [{ text: 'All builds that match', note: spec, href: address('search', '', { q: text }) }] }];
  }
  const found = await findBuilds(spec, at, signal);
  const builds = objects(found.builds);
  if (found.count === 0) return [found.nearest ? nearGroup(found) : { title: 'Builds', entries: [] }];
  return [buildGroup(text, found, builds), versionGroup(builds)];
}

/// {groups, error}: as namesLike() has them; `error` says what is wrong with a spec.
export async function ledgerGroups(text, at, signal) {
  const hash = hashOf(text);
  const spec = hash === null && at !== null ? specOf(text) : null;
  try {
    const groups = hash !== null ? [await hashGroup(hash, signal)] : spec !== null ? await specGroups(text, spec, at, signal) : [];
    return { groups: groups.filter(({ entries }) => entries.length > 0), error: null };
  } catch (error) {
    if (error instanceof AskError) return { groups: [], error: error.message };
    throw error;
  }
}
