// Which builds have what a query asks, also of their dependencies (schema/ledger/search/matching_specs.cpp and dependents.cpp). Where the
// program goes from a dependency to all that needs it, this goes from the builds in question to what they need: a page asks of few.
import { versioned } from '../dom/parts.js';
import { groupBy } from '../data/ask.js';
import {
  answerOfCompiler, compareDifferences, differenceOfBuilds, differenceOfQuery, matchesCompiler, matchesLook, matchesNode,
} from './match.js';
import { asksCompiler, dependencyText, emptyQuery, languages, mayBeCompiler, queryText } from './query.js';
import { allOf, answer, isKnownCompiler, no, parseCompiler, sorted, unknown, yes } from './values.js';
import { VersionSet } from './versions.js';
import { plain } from '../table/order.js';

/// The answer for each build: a map of spec_ids.
export async function answersOf(rows, query, builds) {
  const named = query.hash === '' ? null : new Set(await rows.specsWithHash(query.hash));
  const own = (build) => {
    const is_asked = (query.package === null || query.package === build.package) && (named === null || named.has(build.spec_id));
    return is_asked ? allOf(matchesLook(query, build), matchesNode(query, build)) : no;
  };
  const answers = new Map(builds.map((build) => [build.spec_id, own(build)]));
  const narrow = async (answersOfSome) => {
    const open = builds.filter((build) => answers.get(build.spec_id) !== no);
    for (const [id, one] of await answersOfSome(open)) answers.set(id, allOf(answers.get(id), one));
  };
  for (const asked of query.dependencies) await narrow((open) => dependencyAnswers(rows, asked, open, query));
  const propagated = query.variants.filter((variant) => variant.is_propagated);
  if (propagated.length > 0) await narrow((open) => propagatedAnswers(rows, { ...emptyQuery(), variants: propagated }, open));
  return answers;
}

/// The answer of each build to one dependency that `query` asks, and to what is asked of that one's own. The compiler that a build shows
/// answers, unless its node has the compilers among its dependencies.
async function dependencyAnswers(rows, asked, builds, query) {
  const of_compiler = query.package !== null && isKnownCompiler(query.package) && asked.is_direct;
  const answers = await answersOfParents(rows, of_compiler ? query : emptyQuery(), asked, builds);
  for (const child of asked.spec.dependencies) {
    for (const [id, one] of await answersOfParents(rows, asked.spec, child, builds)) answers.set(id, allOf(answers.get(id), one));
  }
  return answers;
}

// What is asked by '%' is asked of the dependency that Spack means by the name of what stands before it, `spec`.
async function answersOfParents(rows, spec, asked, builds) {
  if (spec.package === null || spec.package === asked.spec.package) return ownAnswers(rows, asked, builds);
  const edges = await rows.edges(builds.map((build) => build.spec_id), 'runtime');
  const parents = new Map(builds.map((build) => [build.spec_id, namedDependency(edges, build, spec.package)]));
  const answers = await ownAnswers(rows, asked, await rows.builds([...new Set(parents.values())].filter((id) => id !== null)));
  return new Map([...parents].map(([id, parent]) => [id, answers.get(parent) ?? unknown]));
}

const depflags = { link: 1, run: 2, build: 4, test: 8 };   // the numbers of Spack, by which it sorts
const depflag = (edge) => edge.deptypes.split(',').reduce((sum, type) => sum + depflags[type], 0);
const isNeededTo = (types) => (edge) => edge.deptypes.split(',').some((type) => types.includes(type));
const isOfBuild = isNeededTo(['build', 'test']);
const isRuntime = isNeededTo(['link', 'run']);
const edgeOrder = (a, b) => plain(a.package, b.package) || depflag(a) - depflag(b) || plain(a.virtuals, b.virtuals);

// The dependency that Spack means by a name: what the build is built or tested with; else itself; else the nearest of what it needs to
// link and to run.
function namedDependency(edges, build, name) {
  const isNamed = (edge) => edge.package === name || (edge.virtuals ?? '').split(',').includes(name);
  const edgesOf = (id) => (edges.get(id) ?? []).toSorted(edgeOrder);
  const of_build = edgesOf(build.spec_id).find((edge) => isOfBuild(edge) && isNamed(edge));
  if (of_build) return of_build.dependency_id;
  if (build.package === name) return build.spec_id;
  const open = new Set([build.spec_id]);
  for (const id of open) {   // a set gives what is added to it, too
    for (const edge of edgesOf(id).filter(isRuntime)) {
      if (isNamed(edge)) return edge.dependency_id;
      open.add(edge.dependency_id);
    }
  }
  return null;
}

async function ownAnswers(rows, asked, builds) {
  const answers = new Map();
  const open = [];
  for (const { spec_id, compiler, compiler_from } of builds) {
    const shown = mayBeCompiler(asked) ? matchesCompiler(asked, compiler) : unknown;
    const is_sure = shown === yes && asked.virtuals.length === 0 && asked.deptypes.length === 0;
    const is_attribute = compiler_from === 'node' || compiler_from === 'annotation';
    if (is_sure || compiler_from === null || (is_attribute && shown !== unknown)) answers.set(spec_id, shown);
    else open.push(spec_id);
  }
  if (open.length > 0) for (const [id, one] of await answersOfDependents(rows, asked, open)) answers.set(id, one);
  return answers;
}

// Whether an edge is for one of some virtual packages, or none is asked.
function isForAny(virtuals, edge) {
  if (virtuals.length === 0) return yes;
  return edge.virtuals === null ? unknown : answer(virtuals.some((name) => edge.virtuals.split(',').includes(name)));
}

function raise(answers, id, one) {
  if (one > (answers.get(id) ?? no)) answers.set(id, one);
}

// Some builds, and all that need them over these edges.
function withAbove(edges, ids) {
  const above = groupBy(edges, (edge) => edge.dependency_id);
  const open = new Set(ids);
  for (const id of open) for (const { spec_id } of above.get(id) ?? []) open.add(spec_id);   // a set gives what is added to it, too
  return open;
}

// What needs a dependency over one of the edges, to which `answerOf` gives an answer: as Spack means '^', it builds with it, or it or
// something that it needs to link and to run does so.
function reaching(edges, answerOf) {
  const found = new Map();
  const below = new Map();
  for (const edge of edges) {
    if (isRuntime(edge)) raise(below, edge.spec_id, answerOf(edge));
    else if (edge.deptypes.split(',').includes('build')) raise(found, edge.spec_id, answerOf(edge));
  }
  for (const level of [unknown, yes]) {
    const starts = [...below].filter(([, one]) => one >= level).map(([id]) => id);
    for (const id of withAbove(edges.filter(isRuntime), starts)) raise(found, id, level);
  }
  return found;
}

async function answersOfDependents(rows, asked, ids) {
  const edges = [...(await rows.edges(ids, asked.is_direct ? 'none' : 'runtime')).values()].flat();
  const name = asked.spec.package;
  const own = name !== null && await rows.isVirtual(name) ? [name] : [];   // a virtual package: whatever is used for it
  const isAsked = (edge) => (own.length > 0 ? isForAny(own, edge) : answer(name === null || name === edge.package));
  const may_be = edges.filter((edge) => isAsked(edge) !== no);
  const spec = own.length > 0 ? { ...emptyQuery(), hash: asked.spec.hash } : { ...asked.spec, dependencies: [] };
  const targets = await answersOf(rows, spec, await rows.builds([...new Set(may_be.map((edge) => edge.dependency_id))]));
  // Which versions of a virtual package another one provides is not known, but that languages have none.
  const most = own.length > 0 && !asked.spec.version.allows_all && !languages.has(name) ? unknown : yes;
  const answerOf = (edge) => (isAsked(edge) === no ? no : allOf(isAsked(edge), targets.get(edge.dependency_id), most));
  if (asked.is_direct) {
    const answers = new Map();
    for (const edge of may_be) {
      const has_types = asked.deptypes.every((type) => edge.deptypes.split(',').includes(type));
      if (has_types) raise(answers, edge.spec_id, allOf(answerOf(edge), own.length > 0 ? yes : isForAny(asked.virtuals, edge)));
    }
    return new Map(ids.map((id) => [id, answers.get(id) ?? no]));
  }
  const all = [reaching(edges, answerOf)];
  for (const virtual of asked.virtuals.filter((one) => one !== name)) {
    all.push(reaching(edges, (edge) => allOf(isAsked(edge), isForAny([virtual], edge))));
  }
  const may_be_more = reaching(edges.filter(isRuntime), (edge) => (edge.is_described ? no : unknown));
  return new Map(ids.map((id) => [id, Math.max(allOf(...all.map((one) => one.get(id) ?? no)), may_be_more.get(id) ?? no)]));
}

// Whether all dependencies that have a variant have it with the values that are asked: "++mpi".
async function propagatedAnswers(rows, query, builds) {
  const edges = [...(await rows.edges(builds.map((build) => build.spec_id), 'all')).values()].flat();
  const ids = new Set([...builds.map((build) => build.spec_id), ...edges.map((edge) => edge.dependency_id)]);
  const answers = new Map([...ids].map((id) => [id, yes]));
  const own = (await rows.builds([...ids])).map((build) => {
    const one = matchesLook(query, build);
    return { id: build.spec_id, one: build.compiler_from === null && one === yes ? unknown : one };
  });
  for (const level of [unknown, no]) {
    for (const id of withAbove(edges, own.filter(({ one }) => one === level).map(({ id }) => id))) answers.set(id, level);
  }
  return answers;
}

// What differs between a query and builds of its package, also in their dependencies (schema/ledger/nearest/nearest_specs.cpp).

/// The differences of the builds from a query, the nearest first. Without `with_words` those of their dependencies have no words.
export async function nearestToQuery(rows, query, builds, with_words = true) {
  const answers = [];
  for (const asked of query.dependencies) answers.push(await dependencyAnswers(rows, asked, builds, query));
  const found = [];
  for (const build of builds) {
    const dependencies = [];
    for (const [index, asked] of query.dependencies.entries()) {
      const answer = answers[index].get(build.spec_id);
      dependencies.push({ answer, words: with_words && answer !== yes ? await dependencyWords(rows, asked, answer, build, builds) : '' });
    }
    found.push({ build, difference: differenceOfQuery(query, build, dependencies) });
  }
  return inOrder(found);
}

/// The same for another build, which is not among the result.
export async function nearestToBuild(rows, wanted, builds) {
  const order = await rows.targetOrder();
  const others = builds.filter((build) => build.hash !== wanted.hash);
  const found = inOrder(others.map((build) => ({ build, difference: differenceOfBuilds(wanted, build, order) })));
  for (const { build, difference } of found) {
    if (difference.words.length > 0) continue;
    const packages = await packagesOfOtherBuilds(rows, wanted, build);
    if (packages.length > 0) difference.words.push(`dependencies: ${packages.join(', ')}`);
  }
  return found;
}

const inOrder = (found) => found.sort((a, b) => compareDifferences(a.difference, b.difference));

// The packages of which two builds need other builds.
async function packagesOfOtherBuilds(rows, one, other) {
  if (one.compiler_from === null || other.compiler_from === null) return [];
  const edges = await rows.edges([one.spec_id, other.spec_id], 'none');
  const needed = [one, other].map(({ spec_id }) => edges.get(spec_id) ?? []);
  const [of_one, of_other] = needed.map((list) => new Set(list.map((edge) => edge.dependency_id)));
  return sorted(needed.flat().filter(({ dependency_id: id }) => of_one.has(id) !== of_other.has(id)).map((edge) => edge.package));
}

// Whether the compiler that the build shows is another version of the one that is asked.
function isOfShown(asked, compiler) {
  return compiler !== null && asked.virtuals.length === 0 && asked.spec.package === parseCompiler(compiler).name
    && matchesCompiler(asked, compiler) === no;
}

// What a build has instead of a dependency that is asked. `builds`: all in question, whose dependencies are read at once.
async function dependencyWords(rows, asked, answer, build, builds) {
  const of_compiler = answerOfCompiler(asked, build.compiler).words;
  if (build.compiler_from === null || (asksCompiler(asked) && isOfShown(asked, build.compiler))) return of_compiler;
  if (answer === unknown) return `${dependencyText(asked)}: not known`;
  const edges = await rows.edges(builds.map((one) => one.spec_id), asked.is_direct ? 'none' : 'runtime');
  const words = await wordsOfUsed(rows, asked, usedBy(build.spec_id, edges, !asked.is_direct));
  if (words !== null) return words;
  return asksCompiler(asked) && build.compiler !== null ? of_compiler
    : `${dependencyText(asked)}: not among its ${asked.is_direct ? 'direct ' : ''}dependencies`;
}

// The edges from a build; with `deep` also those from what it needs to link and to run.
function usedBy(spec_id, edges, deep) {
  const used = [];
  const open = new Set([spec_id]);
  for (const id of open) {   // a set gives what is added to it, too
    for (const edge of edges.get(id) ?? []) {
      const is_runtime = /link|run/.test(edge.deptypes);
      if (id === spec_id || is_runtime) used.push(edge);
      if (deep && is_runtime) open.add(edge.dependency_id);
    }
  }
  return used;
}

// null: it has nothing of what is asked.
async function wordsOfUsed(rows, asked, used) {
  const { package: name } = asked.spec;
  const is_virtual = name !== null && await rows.isVirtual(name);
  const virtuals = is_virtual ? [name] : asked.virtuals;
  const isFor = (edge) => edge.virtuals !== null && virtuals.some((one) => edge.virtuals.split(',').includes(one));
  const isAsked = (edge) => (is_virtual || name === null ? isFor(edge) : edge.package === name);
  const sign = asked.is_direct ? '%' : '^';
  const others = used.filter((edge) => isFor(edge) && !isAsked(edge));
  if (others.length > 0) {
    const builds = await rows.builds(others.map((edge) => edge.dependency_id));
    return `${sign}${virtuals.join(',')}: ${queryText(asked.spec)} -> ${sorted(builds.map(versioned)).join(', ')}`;
  }
  const candidates = used.filter(isAsked);
  if (candidates.length === 0) return null;
  const query = is_virtual || name === null ? { ...asked.spec, package: null, version: new VersionSet() } : asked.spec;
  const builds = await rows.builds(sorted(candidates.map((edge) => edge.dependency_id)));
  const [{ build: nearest }] = await nearestToQuery(rows, query, builds, false);
  const [{ difference: { words } }] = await nearestToQuery(rows, query, [nearest]);
  if (words.length === 0) return `${dependencyText(asked)}: ${textOfUse(asked, candidates)}`;
  return `${sign}${nearest.package}: ${words.map((word) => word.replace(/^version: /, '')).join(', ')}`;
}

// For what the build is used that matches otherwise.
function textOfUse(asked, candidates) {
  if (asked.deptypes.length > 0) return `needed for ${sorted(candidates.map((edge) => edge.deptypes)).join(', ')}`;
  const virtuals = sorted(candidates.map((edge) => edge.virtuals ?? '')).filter((text) => text !== '');
  return virtuals.length === 0 ? 'not used for it' : `used for ${virtuals.join(', ')}`;
}
