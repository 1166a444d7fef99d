// The builds of a snapshot that match a spec, as `cacheledger specs` finds them (reports/questions/specs/found_specs.cpp).
import not_external_sql from '../queries/names/not_external.sql';
import packages_sql from '../queries/names/packages.sql';
import packages_like_sql from '../queries/names/packages_like.sql';
import packages_of_sql from '../queries/names/packages_of.sql';
import series_of_sql from '../queries/names/series_of.sql';
import build_hashes_sql from '../queries/search/build_hashes.sql';
import builds_sql from '../queries/search/builds_by_id.sql';
import edges_sql from '../queries/search/edges.sql';
import found_sql from '../queries/search/found.sql';
import hash_specs_sql from '../queries/search/hash_specs.sql';
import looks_sql from '../queries/search/looks.sql';
import present_sql from '../queries/search/present.sql';
import targets_sql from '../queries/search/targets.sql';
import virtual_sql from '../queries/search/virtual.sql';
import { count } from '../dom/element.js';
import { versioned } from '../dom/parts.js';
import { exactly, groupBy, objects } from '../data/ask.js';
import { runReport, withDependencies } from '../data/ledger.js';
import { about } from '../data/site.js';
import { answersOf, nearestToBuild, nearestToQuery } from './answers.js';
import { matchesLook } from './match.js';
import { nearestNames, textOfUnknown } from './names.js';
import { parseAsBefore10, parseSpec } from './parse.js';
import { asksEverything, asksOnlyHash, emptyQuery, languages, queryText } from './query.js';
import { no, TargetOrder, unknown, yes } from './values.js';
import { SpecError } from './versions.js';
import { listed } from '../words/sentence.js';

// What the search asks the ledger: by keys, and each thing once.
let order = null;   // of targets; it is the same in all ledgers of a program

class LedgerRows {
  constructor(at, signal) {
    Object.assign(this, { at, signal, known_builds: new Map(), known: new Map() });
  }

  /// The rows of a query, as objects. runSql() would cut them.
  async ask(sql, given = {}) {
    return objects(await runReport([], sql, given, this.signal));
  }

  /// The order of targets, which specs are read by.
  async targetOrder() {
    order ??= new TargetOrder(await this.ask(targets_sql));
    return order;
  }

  /// The looks of the packages that match a pattern.
  looks(pattern, with_variants) {
    return this.ask(looks_sql, { package: pattern, with_variants: Number(with_variants) });
  }

  /// The specs of the snapshot with these looks: {spec_id, look_id}.
  present(look_ids) {
    return this.ask(present_sql, { at: this.at, looks: JSON.stringify(look_ids) });
  }

  /// The ids of the specs that a hash names, or its beginning, ascending.
  async specsWithHash(hash) {
    return (await this.ask(hash_specs_sql, { hash })).map((row) => row.spec_id);
  }

  /// Those of the builds whose packages match a pattern.
  async ofPackages(builds, pattern) {
    if (pattern === '*') return builds;
    const looks = new Set((await this.looks(pattern, false)).map((look) => look.look_id));
    return builds.filter((build) => looks.has(build.look_id));
  }

  buildHashes(hash) {
    return this.ask(build_hashes_sql, { hash });
  }

  /// Specs in words.
  async builds(spec_ids) {
    const missing = spec_ids.filter((id) => !this.known_builds.has(id));
    if (missing.length > 0) {
      for (const build of await this.ask(builds_sql, { specs: JSON.stringify(missing) })) this.known_builds.set(build.spec_id, build);
    }
    return spec_ids.map((id) => this.known_builds.get(id));
  }

  /// What these specs need, by spec_id; `deep`: also what that needs: 'none', 'runtime' (to link or to run), or 'all'.
  edges(spec_ids, deep) {
    return this.once(`edges ${deep} ${JSON.stringify(spec_ids)}`, async () => {
      const specs = JSON.stringify(await withDependencies(spec_ids, deep, this.signal));
      return groupBy(await this.ask(edges_sql, { specs }), (edge) => edge.spec_id);
    });
  }

  isVirtual(name) {
    return this.once(`virtual ${name}`, async () => (await this.ask(virtual_sql, { package: name }))[0].is_virtual === 1);
  }

  once(key, make) {
    if (!this.known.has(key)) this.known.set(key, make());
    return this.known.get(key);
  }
}

// What the text of a question asks: a spec, or a pattern for packages with a spec behind it (src/commands/questions/specs_command.cpp).

/// A question that has no answer: what is wrong is the message, in the program's words.
export class AskError extends Error {}

const isDagHash = (text) => /^[a-z2-7]{32}$/.test(text);
const isPattern = (text) => /[*?[]/.test(text);

function readSpec(text, order) {
  if (isDagHash(text)) return { ...emptyQuery(), hash: text };
  try {
    return parseSpec(text, order);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new AskError(isPattern(/^[^ @+~%^=/]*/.exec(text)[0])
      ? `'${text}': expected the name of one package; the command specs, and --package of diff, why and reports take a pattern`
      : error.message);
  }
}

// Where the pattern for names of packages ends that begins the text; 0 for "os=rhel8". Any other text is a pattern as a whole.
function endOfPattern(text) {
  let end = 0;
  while (end < text.length) {
    if (text[end] === '[') end = text.indexOf(']', end) < 0 ? text.length - 1 : text.indexOf(']', end);
    else if (!/[A-Za-z0-9\-_.*?\]]/.test(text[end])) break;
    ++end;
  }
  const rest = text.slice(end);
  if (rest.startsWith('=') || rest.startsWith(':=')) return 0;
  return rest !== '' && ' @+~%^/'.includes(rest[0]) ? end : text.length;
}

/// {pattern, query, before}: `before` is what Spack before 1.0 took the text for; null if that is the same. Throws AskError.
function readAsked(text, order) {
  const word = text.slice(0, endOfPattern(text));
  const [pattern, rest] = isPattern(word) ? [word, text.slice(word.length)] : ['*', text];
  if (isPattern(word) && rest === '') return { pattern, query: emptyQuery(), before: null };
  return { pattern, query: readSpec(rest, order), before: parseAsBefore10(rest, order) };
}

/// The question in one spelling: "py-* +mpi"; empty if all builds are asked.
function askedWords({ pattern, query }) {
  const text = asksEverything(query) ? '' : queryText(query);
  return pattern === '*' ? text : [pattern, text].filter(Boolean).join(' ');
}

// What is said where no build matches (reports/questions/specs/no_match.cpp).
const most_nearest = 5;
const most_series = 5;

async function buildsOfPackage(rows, name) {
  const looks = await rows.looks(exactly(name), false);
  const specs = await rows.present(looks.map((look) => look.look_id));
  return rows.builds(specs.map((spec) => spec.spec_id));
}

// Those that differ in the same way are one row.
function tableOf(near) {
  const rows = [];
  for (const { build, difference } of near) {
    const differs = difference.words.length === 0 ? 'nothing but the hash' : difference.words.join('; ');
    const known = rows.find((row) => row[0] === differs);
    if (known) ++known[1];
    else if (rows.length < most_nearest) rows.push([differs, 1, build.hash]);
  }
  return { columns: ['differs', 'builds', 'hash'], rows };
}

async function explainHash(rows, { pattern, query: { hash } }, found) {
  const builds = await rows.ofPackages(await rows.builds(await rows.specsWithHash(hash)), pattern);
  if (builds.length === 0) {
    const whose = pattern === '*' ? 'the ledger' : `a package like '${pattern}'`;
    found.remarks.push(`No spec of ${whose} has a hash that begins with ${hash}.`);
    return;
  }
  const [build] = builds;
  found.remarks.push(`/${hash} is ${versioned(build)}, which ${rows.at} does not have.`);
  found.nearest = tableOf(await nearestToBuild(rows, build, await buildsOfPackage(rows, build.package)));
}

async function whereItIs(rows, name) {
  const series = await rows.ask(series_of_sql, { package: name, at: rows.at });
  const own = series.find((row) => row.is_own);
  const others = listed(series.filter((row) => !row.is_own).map((row) => row.name), most_series);
  if (own) return `other snapshots of ${own.name} have it${others === '' ? '' : `, and so have some of other series: ${others}`}`;
  if (others !== '') return `snapshots of other series have it: ${others}`;
  const builds = await rows.ask(not_external_sql, { package: name });
  return `it is in no snapshot: ${builds.length === 0 ? 'it is external' : 'other builds only depend on it'}`;
}

async function noteOnAbsent(rows, name) {
  const near = nearestNames(name, (await rows.ask(packages_of_sql, { at: rows.at })).map((row) => row.name));
  return `${rows.at} has no build of ${name} at all${near.length > 0 ? `; near are: ${near.join(', ')}` : ''}; ${await whereItIs(rows, name)}.`;
}

/// Adds remarks and the nearest builds to an answer without builds.
async function explainNoMatch(rows, asked, is_undecided, found) {
  const { query } = asked;
  if (asksOnlyHash(query)) {
    await explainHash(rows, asked, found);
  } else if (query.package !== null && !is_undecided) {
    const builds = await buildsOfPackage(rows, query.package);
    if (builds.length === 0) found.remarks.push(await noteOnAbsent(rows, query.package));
    found.nearest = tableOf(await nearestToQuery(rows, query, builds));
  }
}

const most_found = 20000;   // rows of an answer

async function requirePackage(rows, name) {
  if (about.packages.includes(name)) return;
  const names = (await rows.ask(packages_sql)).map((row) => row.name);
  if (!names.includes(name)) throw new AskError(textOfUnknown('package', name, names, ''));
}

const asksNode = ({ namespace, flags, variants, dependencies }) =>
  namespace !== null || flags.length > 0 || dependencies.length > 0 || variants.some(({ name, is_propagated }) => is_propagated || name === 'patches');

// The answer for each spec in question: a map of spec_ids.
async function answersByLook(rows, query, pattern) {
  const looks = await rows.looks(pattern, query.variants.length > 0);
  const answers = new Map(looks.map((look) => [look.look_id, matchesLook(query, look)]));
  const asked = looks.filter((look) => answers.get(look.look_id) !== no).map((look) => look.look_id);
  const specs = await rows.present(asked);
  if (asksNode(query)) return answersOf(rows, query, await rows.builds(specs.map((spec) => spec.spec_id)));
  return new Map(specs.map((spec) => [spec.spec_id, answers.get(spec.look_id)]));
}

async function answersByHash(rows, query, pattern) {
  const builds = await rows.builds(await rows.specsWithHash(query.hash));
  const present = new Set((await rows.present([...new Set(builds.map((build) => build.look_id))])).map((spec) => spec.spec_id));
  return answersOf(rows, query, await rows.ofPackages(builds.filter((build) => present.has(build.spec_id)), pattern));
}

// The ids of the specs that match a query, and of those that may.
async function find(rows, asked, query) {
  const pattern = query.package === null ? asked.pattern : exactly(query.package);
  const answers = await (query.hash === '' ? answersByLook : answersByHash)(rows, query, pattern);
  return [yes, unknown].map((wanted) => [...answers].filter(([, answer]) => answer === wanted).map(([id]) => id));
}

/// Whether a spec asks for builds of some packages or of a hash, which are few. Throws AskError.
export async function isNarrow(text, signal) {
  const { pattern, query } = readAsked(text, await new LedgerRows(null, signal).targetOrder());
  return pattern !== '*' || query.package !== null || query.hash !== '';
}

// What a query asks that only recipes say; null if it asks nothing like that.
async function askedOfRecipes(rows, query) {
  for (const { spec } of query.dependencies) {
    const is_asked = spec.package !== null && !spec.version.allows_all && !languages.has(spec.package);
    if (is_asked && await rows.isVirtual(spec.package)) return `only recipes say which versions of ${spec.package} a package provides`;
  }
  return null;
}

// Why nobody knows whether a build matches (schema/ledger/search/matching_specs.hpp).
function whyUnknown({ target }, build, of_recipes) {
  if (target !== null && build.target !== null && target.contains(build.target) === unknown) return `what the target ${build.target} runs is not known`;
  return build.spliced === null ? 'pages do not list dependencies, flags and patches' : of_recipes ?? 'no source says enough of them';
}

/// {asked, count, builds, remarks, nearest}: `asked` is the spec in one spelling, `count` how many builds match, `builds` a table of
/// them, `remarks` sentences about the answer, and `nearest` a table of what is near where none matches. Throws AskError.
export async function findBuilds(text, at, signal) {
  const rows = new LedgerRows(at, signal);
  const asked = readAsked(text, await rows.targetOrder());
  const { query } = asked;
  if (query.package !== null) await requirePackage(rows, query.package);
  const [specs, unsure] = await find(rows, asked, query);
  const builds = await runReport([], found_sql, { at, specs: JSON.stringify(specs), most: most_found }, signal);
  const remarks = query.hash === '' ? [] : (await rows.buildHashes(query.hash)).map((row) =>
    `/${row.build_hash} is a build hash of a lock file; the DAG hash of this spec is /${row.hash}.`);
  if (unsure.length > 0) {
    const of_recipes = await askedOfRecipes(rows, query);
    const why = new Set((await rows.builds(unsure)).map((build) => whyUnknown(query, build, of_recipes)));
    remarks.push(`${count(unsure.length, 'more build may', 'more builds may')} match: ${[...why].sort().join('; ')}.`);
  }
  const is_known = asked.pattern === '*' || (await rows.ask(packages_like_sql, { package: asked.pattern }))[0].is_known === 1;
  if (!is_known) remarks.push(`no package is like '${asked.pattern}'`);
  const found = { asked: askedWords(asked), count: specs.length, builds, remarks, nearest: null };
  if (specs.length === 0 && asked.before !== null) {
    const [before] = await find(rows, asked, asked.before);
    if (before.length > 0) {
      const words = askedWords({ pattern: asked.pattern, query: asked.before });
      remarks.push(`Before Spack 1.0 this asked for '${words}', which ${count(before.length, 'build matches', 'builds match')}.`);
    }
  }
  if (specs.length === 0) await explainNoMatch(rows, asked, unsure.length > 0, found);
  return found;
}
