// What a spec asks, and its text in one spelling (schema/specs/queries/spec_query.cpp). What is not asked is missing, and matches
// everything:
//
//   {package, namespace, version, variants, flags, platform, os, target, hash, dependencies}
//
// A variant is {name, values, is_any, is_exact, is_propagated}, flags are {name, flags, is_propagated}, a dependency is {is_direct,
// is_propagated, virtuals, deptypes, spec}.
import { isKnownCompiler } from './compilers.js';
import { isBoolean, quotedValue } from './variants.js';
import { VersionSet } from './versions.js';

export const emptyQuery = () => ({
  package: null, namespace: null, version: new VersionSet(), variants: [], flags: [], platform: null, os: null, target: null, hash: '',
  dependencies: [],
});

const keyAndValue = (key, is_exact, is_propagated, value) =>
  `${key}${is_exact ? ':' : ''}${is_propagated ? '==' : '='}${quotedValue(value)}`;

export function variantQueryText({ name, values, is_any, is_exact, is_propagated }) {
  if (!is_any && isBoolean(values)) {
    const sign = values[0] === 'true' ? '+' : '~';
    return `${sign}${is_propagated ? sign : ''}${name}`;
  }
  return keyAndValue(name, is_exact, is_propagated, is_any ? '*' : values.join(','));
}

// All that is asked of the spec itself.
function nodeText(query) {
  const { version, namespace, platform, os, target, hash } = query;
  const name = `${namespace !== null && query.package !== null ? `${namespace}.` : ''}${query.package ?? ''}`;
  return [
    `${name}${version.allows_all ? '' : `@${version.text}`}`,
    ...query.flags.map((flags) => keyAndValue(flags.name, false, flags.is_propagated, flags.flags.join(' '))),
    ...query.variants.map(variantQueryText),
    namespace !== null && query.package === null && `namespace=${namespace}`,
    platform !== null && `platform=${platform}`, os !== null && `os=${os}`, target && `target=${target.text}`,
    hash !== '' && `/${hash}`,
  ].filter(Boolean).join(' ');
}

/// The text of a query for everything is "*".
export function queryText(query) {
  // '%' belongs to what stands before it, so direct dependencies come first.
  const dependencies = [...query.dependencies.filter((one) => one.is_direct), ...query.dependencies.filter((one) => !one.is_direct)];
  return [nodeText(query), ...dependencies.map(dependencyText)].filter(Boolean).join(' ') || '*';
}

/// Whether options other than a version are asked.
export const hasOptions = ({ variants, flags, platform, os, target, hash }) =>
  variants.length > 0 || flags.length > 0 || platform !== null || os !== null || target !== null || hash !== '';

/// The virtual packages that compilers provide, without a version.
export const languages = new Set(['c', 'cxx', 'fortran']);

/// Whether this can ask for the compiler that builds show: it is direct, and not asked for what no compiler is used for.
export const mayBeCompiler = ({ is_direct, virtuals }) => is_direct && virtuals.every((name) => languages.has(name));

/// Whether this asks for a compiler: a package that is one, or what is used for a language.
export const asksCompiler = (asked) =>
  mayBeCompiler(asked) && (asked.spec.package === null || asked.virtuals.length > 0 || isKnownCompiler(asked.spec.package));

export function dependencyText({ is_direct, is_propagated, virtuals, deptypes, spec }) {
  const properties = [
    deptypes.length > 0 && `deptypes=${deptypes.join(',')}`,
    virtuals.length > 0 && spec.package === null && `virtuals=${virtuals.join(',')}`,
  ].filter(Boolean);
  const sign = is_direct ? (is_propagated ? '%%' : '%') : '^';
  const brackets = properties.length > 0 ? `[${properties.join(' ')}]` : '';
  const asked = queryText(spec);
  return `${sign}${brackets}${virtuals.length > 0 && spec.package !== null ? `${virtuals.join(',')}=` : ''}${
    spec.package !== null || asked === '*' ? '' : '*'}${asked}`;
}

export const asksEverything = (query) => queryText(query) === '*';

export const asksOnlyHash = (query) => query.hash !== '' && queryText(query) === `/${query.hash}`;
