// Whether a build is what a query asks, by its own words (schema/specs/matching/match.cpp), and how far it is from that. A build has the
// columns of queries/search/builds_by_id.sql; null: no source said so.
import { asksCompiler, dependencyText, hasOptions, mayBeCompiler, queryText, variantQueryText } from './query.js';
import {
  allOf, answer, fits, isBoolean, isCompilerFlag, no, parseCompiler, parseVariants, sorted, unknown, variantText, yes,
} from './values.js';
import { wordsOf } from './versions.js';
import { plain } from '../table/order.js';

const isWord = (asked, word) => (asked === null ? yes : word === null ? unknown : answer(asked === word));

/// The flags of one kind: ['-O2', '-g'] of "cflags=-O2 -g cxxflags=-O2".
function flagsOf(flags, name) {
  const found = [];
  let is_of_name = false;
  for (const word of wordsOf(flags)) {
    const equals = word.indexOf('=');
    const begins = equals >= 0 && isCompilerFlag(word.slice(0, equals));
    if (begins) is_of_name = word.slice(0, equals) === name;
    const flag = begins ? word.slice(equals + 1) : word;
    if (is_of_name && flag !== '') found.push(flag);
  }
  return found;
}

// Hashes of patches may be cut on either side.
function hasPatches({ values, is_exact }, patches) {
  const isIn = (one, others) => others.some((other) => one.startsWith(other) || other.startsWith(one));
  return values.every((one) => isIn(one, patches)) && (!is_exact || patches.every((one) => isIn(one, values)));
}

/// `values` are those of the build; undefined: it has no such variant.
function hasValues(asked, values) {
  if (values === undefined) return asked.is_propagated;   // it only says what the variant is where there is one
  if (asked.is_any) return true;
  if (asked.name === 'patches') return hasPatches(asked, values);
  return asked.values.every((value) => values.includes(value)) && (!asked.is_exact || values.length === asked.values.length);
}

function matchesVersion({ version }, { version: there }) {
  if (version.allows_all) return yes;
  return there === null ? unknown : version.contains(there);
}

function matchesTarget({ target }, build) {
  if (target === null) return yes;
  return build.target === null ? unknown : target.contains(build.target);
}

const matchesPlatform = (query, build) => isWord(query.platform, build.platform);

const matchesOs = (query, build) => isWord(query.os, build.os);

// As in Spack, what stands behind a word that may be any is not asked.
function matchesSystem(query, build) {
  if (query.platform === '*' && build.platform !== null) return yes;
  const platform = matchesPlatform(query, build);
  return query.os === '*' && build.os !== null ? platform : allOf(platform, matchesOs(query, build), matchesTarget(query, build));
}

const isPatches = ({ name }) => name === 'patches';

const matchesVariants = ({ variants }, build) => allOf(yes, ...variants.filter((asked) => !isPatches(asked)).map((asked) =>
  (build.variants === null ? unknown : answer(hasValues(asked, parseVariants(build.variants).get(asked.name))))));

const matchesPatches = ({ variants }, build) => allOf(yes, ...variants.filter(isPatches).map((asked) => {
  const values = build.variants === null ? undefined : parseVariants(build.variants).get('patches');
  if (values === undefined && build.patches) return answer(hasValues(asked, wordsOf(build.patches)));
  if (values === undefined && build.variants === null && build.patches === null) return unknown;
  return answer(hasValues(asked, values));
}));

const matchesNamespace = (query, build) => isWord(query.namespace, build.namespace);

const matchesFlags = ({ flags }, build) => allOf(yes, ...flags.map((asked) => {
  if (build.flags === null) return unknown;
  const there = flagsOf(build.flags, asked.name);
  return answer(asked.flags.every((flag) => there.includes(flag)));
}));

/// Whether the compiler that a build shows is the dependency that is asked.
export function matchesCompiler(asked, compiler) {
  if (compiler === null) return unknown;
  const { spec } = asked;
  const shown = parseCompiler(compiler);
  // A package that is no compiler may be another direct dependency.
  if (spec.package !== null && spec.package !== shown.name) return asksCompiler(asked) ? no : unknown;
  if (hasOptions(spec) && spec.package !== null) return no;
  return allOf(matchesVersion(spec, shown), hasOptions(spec) || spec.namespace !== null ? unknown : yes);
}

/// By what a look shows: all but the hash, the dependencies, and what only the node of a build says.
export const matchesLook = (query, look) => [matchesVersion, matchesSystem, matchesVariants]
  .reduce((all, matches) => (all === no ? no : allOf(all, matches(query, look))), yes);

/// By the node.
export const matchesNode = (query, build) =>
  allOf(matchesNamespace(query, build), matchesFlags(query, build), matchesPatches(query, build));

// How far a build is from what is wanted, and in which words: the one meaning of "nearest" (schema/specs/matching/difference.hpp).

/// What differs, the most important first.
const parts = ['family', 'system', 'target', 'version', 'variants', 'compiler', 'flags_or_patches', 'recipe', 'dependencies'];
const counted = new Set(['target', 'variants', 'dependencies']);   // the others are 0 or 1

const change = (what, from, to) => `${what}: ${from} -> ${to}`;
const orNone = (text) => (text === '' ? '(none)' : text);
const valueText = (values) => (values === undefined ? '(none)' : values.join(','));

/// {distance: {part: number}, hash, words}.
class Difference {
  constructor(build) {
    this.hash = build.hash;
    this.distance = Object.fromEntries(parts.map((part) => [part, 0]));
    this.words = [];
  }

  add(part, words) {
    this.distance[part] = counted.has(part) ? this.distance[part] + 1 : 1;
    this.words.push(words);
  }

  say(words) {
    this.words.push(words);
  }

  /// The words unless the answer is yes. What is not known is no distance.
  tell(part, answer, words) {
    if (answer === no) this.add(part, words);
    else if (answer !== yes) this.say(words);
  }

  judge(part, answer, what, wanted, there) {
    this.tell(part, answer, change(what, wanted, there ?? 'not known'));
  }

  addTarget(wanted, there, fit) {
    if (fit === fits.same) return;
    this.distance.family = fit === fits.other_family ? 1 : 0;
    this.distance.target = Math.min(fit, fits.may_not_run);
    const more = { [fits.other_family]: ' (another family)', [fits.may_not_run]: ' (may not run there)' }[fit] ?? '';
    this.say(change('target', wanted, there) + more);
  }
}

/// The order of differences: the nearest first.
export function compareDifferences(a, b) {
  const part = parts.find((one) => a.distance[one] !== b.distance[one]);
  return part ? a.distance[part] - b.distance[part] : plain(a.hash, b.hash);
}

const changeOfVariant = (name, from, to) =>
  (isBoolean(from) && isBoolean(to) ? variantText(name, to) : change(name, valueText(from), valueText(to)));

const variantsOf = (build) => (build.variants === null ? null : parseVariants(build.variants));

// The patches of a build in one order, from its node or else from its variants.
function patchesOf(build) {
  if (build.patches !== null || build.variants === null) return build.patches;
  return variantsOf(build).get('patches')?.join(' ') ?? '';
}

function judgeVariants(difference, { variants }, build) {
  const there = variantsOf(build);
  for (const asked of variants) {
    if (isPatches(asked)) continue;
    if (there === null) difference.say(change('variants', variantQueryText(asked), 'not known'));
    else if (!hasValues(asked, there.get(asked.name))) {
      difference.add('variants', changeOfVariant(asked.name, asked.is_any ? ['*'] : asked.values, there.get(asked.name)));
    }
  }
}

function judgeFlags(difference, query, build) {
  for (const asked of query.flags) {
    const there = build.flags === null ? null : orNone(flagsOf(build.flags, asked.name).join(' '));
    difference.judge('flags_or_patches', matchesFlags({ flags: [asked] }, build), asked.name, asked.flags.join(' '), there);
  }
  for (const asked of query.variants.filter(isPatches)) {
    const patches = patchesOf(build);
    difference.judge('flags_or_patches', matchesPatches(query, build), 'patches', valueText(asked.values),
      patches === null ? null : orNone(patches));
  }
}

// Those that ask for a compiler, or the others.
function judgeDependencies(difference, query, answers, compilers) {
  query.dependencies.forEach((asked, index) => {
    const { answer, words } = answers[index];
    if (asksCompiler(asked) === compilers) difference.tell(compilers ? 'compiler' : 'dependencies', answer, words);
  });
}

/// From a query to a build of its package. `answers` are {answer, words} for each dependency that is asked.
export function differenceOfQuery(query, build, answers) {
  const all = new Difference(build);
  all.judge('system', matchesPlatform(query, build), 'platform', query.platform, build.platform);
  all.judge('system', matchesOs(query, build), 'os', query.os, build.os);
  if (query.target && build.target !== null) all.addTarget(query.target.text, build.target, query.target.fit(build.target));
  else if (query.target) all.say(change('target', query.target.text, 'not known'));
  all.judge('version', matchesVersion(query, build), 'version', query.version.text, build.version);
  judgeVariants(all, query, build);
  judgeDependencies(all, query, answers, true);
  judgeFlags(all, query, build);
  all.judge('recipe', matchesNamespace(query, build), 'namespace', query.namespace, build.namespace);
  judgeDependencies(all, query, answers, false);
  if (!build.hash.startsWith(query.hash)) all.say(change('hash', query.hash, build.hash.slice(0, query.hash.length)));
  return all;
}

/// What is said of a dependency by the compiler that the build shows.
export function answerOfCompiler(asked, compiler) {
  const answer = mayBeCompiler(asked) ? matchesCompiler(asked, compiler) : unknown;
  if (answer === yes) return { answer, words: '' };
  return { answer, words: asksCompiler(asked) ? change('compiler', queryText(asked.spec), compiler ?? 'not known')
    : `${dependencyText(asked)}: dependencies are not known` };
}

// Patches count elsewhere, and pages and nodes of some years do not have build_system.
const counts = (name, from, to) => name !== 'patches' && !(name === 'build_system' && (from === undefined || to === undefined));

function compareVariants(difference, wanted, there) {
  for (const name of sorted([...wanted.keys(), ...there.keys()])) {
    const [from, to] = [wanted.get(name), there.get(name)];
    if (from?.join(',') !== to?.join(',') && counts(name, from, to)) difference.add('variants', changeOfVariant(name, from, to));
  }
}

const differ = (a, b) => a !== null && b !== null && a !== b;

/// From one build to another of its package. `order` is that of targets.
export function differenceOfBuilds(wanted, build, order) {
  const all = new Difference(build);
  const compare = (part, what) => {
    if (differ(wanted[what], build[what])) all.add(part, change(what, wanted[what], build[what]));
  };
  compare('system', 'platform');
  compare('system', 'os');
  if (differ(wanted.target, build.target)) all.addTarget(wanted.target, build.target, order.fit(wanted.target, build.target));
  compare('version', 'version');
  const [variants, variants_there] = [variantsOf(wanted), variantsOf(build)];
  if (variants && variants_there) compareVariants(all, variants, variants_there);
  compare('compiler', 'compiler');
  if (differ(wanted.flags, build.flags)) all.add('flags_or_patches', change('flags', orNone(wanted.flags), orNone(build.flags)));
  if (differ(patchesOf(wanted), patchesOf(build))) all.add('flags_or_patches', 'patches');
  if (differ(wanted.package_hash, build.package_hash)) all.add('recipe', 'recipe');
  for (const what of ['namespace', 'external', 'spliced']) {
    if (differ(wanted[what], build[what])) all.say(change(what, wanted[what], build[what]));
  }
  return all;
}
