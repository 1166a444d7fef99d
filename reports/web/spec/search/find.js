// The builds of a snapshot that match a spec, as `cacheledger specs` finds them (reports/questions/specs/found_specs.cpp).
import found_sql from '../../queries/search/found.sql';
import packages_sql from '../../queries/names/packages.sql';
import packages_like_sql from '../../queries/names/packages_like.sql';
import { exactly } from '../../data/ask.js';
import { runReport } from '../../data/ledger.js';
import { about } from '../../data/site.js';
import { count } from '../../dom/format.js';
import { no, unknown, yes } from '../reading/answer.js';
import { languages } from '../reading/query.js';
import { matchesLook } from '../matching/match.js';
import { answersOf } from './answers.js';
import { AskError, askedWords, readAsked } from './asked.js';
import { explainNoMatch } from './no_match.js';
import { LedgerRows } from './ledger_rows.js';
import { textOfUnknown } from './nearest_names.js';

export { AskError };

export const most_found = 20000;   // rows of an answer

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
