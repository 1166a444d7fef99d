// Whether a build is what a query asks, by its own words (schema/specs/matching/match.cpp). A build has the columns of
// queries/search/builds_by_id.sql; null: no source said so.
import { allOf, answer, no, unknown, yes } from '../reading/answer.js';
import { parseCompiler } from '../reading/compilers.js';
import { asksCompiler, hasOptions } from '../reading/query.js';
import { wordsOf } from '../reading/scanner.js';
import { isCompilerFlag, parseVariants } from '../reading/variants.js';

const isWord = (asked, word) => (asked === null ? yes : word === null ? unknown : answer(asked === word));

/// The flags of one kind: ['-O2', '-g'] of "cflags=-O2 -g cxxflags=-O2".
export function flagsOf(flags, name) {
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
export function hasValues(asked, values) {
  if (values === undefined) return asked.is_propagated;   // it only says what the variant is where there is one
  if (asked.is_any) return true;
  if (asked.name === 'patches') return hasPatches(asked, values);
  return asked.values.every((value) => values.includes(value)) && (!asked.is_exact || values.length === asked.values.length);
}

export function matchesVersion({ version }, { version: there }) {
  if (version.allows_all) return yes;
  return there === null ? unknown : version.contains(there);
}

export function matchesTarget({ target }, build) {
  if (target === null) return yes;
  return build.target === null ? unknown : target.contains(build.target);
}

export const matchesPlatform = (query, build) => isWord(query.platform, build.platform);

export const matchesOs = (query, build) => isWord(query.os, build.os);

// As in Spack, what stands behind a word that may be any is not asked.
function matchesSystem(query, build) {
  if (query.platform === '*' && build.platform !== null) return yes;
  const platform = matchesPlatform(query, build);
  return query.os === '*' && build.os !== null ? platform : allOf(platform, matchesOs(query, build), matchesTarget(query, build));
}

export function matchesVariants({ variants }, build) {
  return variants.filter(({ name }) => name !== 'patches').reduce((all, asked) => allOf(all,
    build.variants === null ? unknown : answer(hasValues(asked, parseVariants(build.variants).get(asked.name)))), yes);
}

export function matchesPatches({ variants }, build) {
  return variants.filter(({ name }) => name === 'patches').reduce((all, asked) => {
    const values = build.variants === null ? undefined : parseVariants(build.variants).get('patches');
    if (values === undefined && build.patches) return allOf(all, answer(hasValues(asked, wordsOf(build.patches))));
    if (values === undefined && build.variants === null && build.patches === null) return allOf(all, unknown);
    return allOf(all, answer(hasValues(asked, values)));
  }, yes);
}

export const matchesNamespace = (query, build) => isWord(query.namespace, build.namespace);

export function matchesFlags({ flags }, build) {
  return flags.reduce((all, asked) => {
    if (build.flags === null) return allOf(all, unknown);
    const there = flagsOf(build.flags, asked.name);
    return allOf(all, answer(asked.flags.every((flag) => there.includes(flag))));
  }, yes);
}

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
