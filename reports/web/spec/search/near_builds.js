// What differs between a query and builds of its package, also in their dependencies (schema/ledger/nearest/nearest_specs.cpp).
import { no, unknown, yes } from '../reading/answer.js';
import { parseCompiler } from '../reading/compilers.js';
import { asksCompiler, dependencyText, queryText } from '../reading/query.js';
import { sorted } from '../reading/variants.js';
import { VersionSet } from '../reading/versions.js';
import { answerOfCompiler, compareDifferences, differenceOfBuilds, differenceOfQuery } from '../matching/difference.js';
import { matchesCompiler } from '../matching/match.js';
import { dependencyAnswers } from './answers.js';

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
    const texts = builds.map((build) => (build.version === null ? build.package : `${build.package}@${build.version}`));
    return `${sign}${virtuals.join(',')}: ${queryText(asked.spec)} -> ${sorted(texts).join(', ')}`;
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
