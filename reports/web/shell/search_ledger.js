// What the ledger has of a text that is typed: builds by hash, and the builds and versions of a spec.
import hashes_sql from '../queries/names/hashes.sql';
import { objects } from '../data/ask.js';
import { runSql } from '../data/ledger.js';
import { count } from '../dom/format.js';
import { AskError, findBuilds, isNarrow } from '../spec/search/find.js';
import { filterState } from '../table/state.js';
import { address } from './address.js';
import { hashOf, specOf } from './search_text.js';

const most = 6;

const short = (hash) => `/${hash.slice(0, 7)}`;

const nameOf = ({ package: name, version }) => (version === null ? name : `${name}@${version}`);

/// The builds of the ledger whose hash begins so: {columns, rows}.
export const buildsByHash = (hash, limit, signal) => runSql(hashes_sql, { hash, most: limit }, signal);

async function hashGroup(hash, signal) {
  const builds = objects(await buildsByHash(hash, most, signal));
  const entry = (build) => ({ text: short(build.hash), note: nameOf(build), href: address('build', build.hash) });
  return { title: 'Builds', entries: builds.map(entry) };
}

function versionGroup(builds) {
  const counts = new Map();
  for (const { package: name, version } of builds) {
    const key = JSON.stringify([name, version]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const entries = [...counts].slice(0, most).map(([key, number]) => {
    const [name, version] = JSON.parse(key);
    return {
      text: nameOf({ package: name, version }), note: count(number, 'build'),
      href: address('package', name, { 'specs.is': filterState([{ column: 'version', value: version ?? '' }]) }),
    };
  });
  return { title: 'Versions', entries };
}

function buildGroup(text, found, builds) {
  const words = count(found.count, 'build matches', 'builds match');
  const all = { text: words, note: found.asked, href: address('search', '', { q: text }) };
  const each = builds.map((build) => ({
    text: short(build.hash), note: [nameOf(build), build.compiler && `%${build.compiler}`, build.target].filter(Boolean).join(' '),
    href: address('build', build.hash),
  }));
  return { title: 'Builds', entries: builds.length <= most ? [all, ...each] : [all] };
}

function nearGroup({ nearest }) {
  const entries = objects(nearest).map(({ differs, hash }) => ({ text: short(hash), note: differs, href: address('build', hash) }));
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
