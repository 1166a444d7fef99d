// How far a build is from what is wanted, and in which words: the one meaning of "nearest" (schema/specs/matching/difference.hpp).
import { no, unknown, yes } from '../reading/answer.js';
import { asksCompiler, dependencyText, mayBeCompiler, queryText, variantQueryText } from '../reading/query.js';
import { fits } from '../reading/targets.js';
import { isBoolean, parseVariants, sorted, variantText } from '../reading/variants.js';
import {
  flagsOf, hasValues, matchesCompiler, matchesFlags, matchesNamespace, matchesOs, matchesPatches, matchesPlatform, matchesVersion,
} from './match.js';

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

  /// A word unless the answer is yes. What is not known is no distance.
  judge(part, answer, what, wanted, there) {
    if (answer === yes) return;
    const words = change(what, wanted, there ?? 'not known');
    if (answer === no) this.add(part, words);
    else this.say(words);
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
  if (part) return a.distance[part] - b.distance[part];
  return a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0;
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
    if (asked.name === 'patches') continue;
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
  for (const asked of query.variants.filter(({ name }) => name === 'patches')) {
    const patches = patchesOf(build);
    difference.judge('flags_or_patches', matchesPatches(query, build), 'patches', valueText(asked.values),
      patches === null ? null : orNone(patches));
  }
}

// Those that ask for a compiler, or the others.
function judgeDependencies(difference, query, answers, compilers) {
  query.dependencies.forEach((asked, index) => {
    const { answer, words } = answers[index];
    if (asksCompiler(asked) !== compilers || answer === yes) return;
    if (answer === no) difference.add(compilers ? 'compiler' : 'dependencies', words);
    else difference.say(words);
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
