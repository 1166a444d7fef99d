// What a spec asks, and its text in one spelling (schema/specs/queries/spec_query.cpp). What is not asked is missing, and matches
// everything:
// 
//   {package, namespace, version, variants, flags, platform, os, target, hash, dependencies}
// 
// A variant is {name, values, is_any, is_exact, is_propagated}, flags are {name, flags, is_propagated}, a dependency is {is_direct,
// is_propagated, virtuals, deptypes, spec}.
import { isBoolean, isKnownCompiler, quotedValue, sorted } from './values.js';
import { VersionSet } from './versions.js';
import { plain } from '../table/order.js';

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

// What two specs ask of one build together.
function refuseBoth(what, one, other) {
  throw new Error(`asks for two ${what}, ${one} and ${other}`);
}

function constrainWord(what, query, more, attribute) {
  if (query[attribute] !== null && more[attribute] !== null && query[attribute] !== more[attribute]) {
    refuseBoth(what, query[attribute], more[attribute]);
  }
  query[attribute] ??= more[attribute];
}

// Whether the values of a variant that has these can be all of the others, too.
const canHave = ({ is_any, is_exact, values }, others) =>
  !(is_exact || (!is_any && isBoolean(values))) || others.values.every((value) => values.includes(value));

function constrainVariant(variant, more) {
  if (!canHave(variant, more) || !canHave(more, variant)) refuseBoth('values', variantQueryText(variant), variantQueryText(more));
  variant.values = sorted([...variant.values, ...more.values]);
  variant.is_any &&= more.is_any;
  variant.is_exact ||= more.is_exact;
  variant.is_propagated &&= more.is_propagated;
}

function constrainFlags(flags, more) {
  flags.flags.push(...more.flags.filter((flag) => !flags.flags.includes(flag)));
  flags.is_propagated ||= more.is_propagated;
}

// Adds those of `more` to what is sorted by name. `both`: what becomes of one that both have.
function constrainNamed(all, more, both) {
  for (const one of more) {
    const there = all.find(({ name }) => name === one.name);
    if (there) both(there, one);
    else all.push(one);
  }
  all.sort((a, b) => plain(a.name, b.name));
}

/// Throws an Error where nothing could match both, or for two targets.
function constrain(query, more) {
  constrainWord('packages', query, more, 'package');
  constrainWord('namespaces', query, more, 'namespace');
  const version = query.version.intersection(more.version);
  if (version === null) refuseBoth('versions', query.version.text, more.version.text);
  query.version = version;
  constrainNamed(query.variants, more.variants, constrainVariant);
  constrainNamed(query.flags, more.flags, constrainFlags);
  constrainWord('platforms', query, more, 'platform');
  constrainWord('operating systems', query, more, 'os');
  if (query.target !== null && more.target !== null && query.target.text !== more.target.text) {
    refuseBoth('targets', query.target.text, more.target.text);
  }
  query.target ??= more.target;
  if (!query.hash.startsWith(more.hash)) {
    if (!more.hash.startsWith(query.hash)) refuseBoth('hashes', query.hash, more.hash);
    query.hash = more.hash;
  }
}

// Whether a spec can depend on two of one name, with these deptypes.
function areCompatible(deptypes, others) {
  const isRuntime = (types) => types.includes('link') || types.includes('run');
  return !(isRuntime(deptypes) && isRuntime(others)) && !deptypes.some((type) => others.includes(type));
}

/// Adds a dependency to those that a query asks for. One that is asked already, by the same name and deptypes, is asked for both.
/// Returns the one that was added; null if it was joined to another.
export function addDependency(query, dependency) {
  const name = dependency.spec.package;
  for (const other of query.dependencies) {
    if (other.spec.package !== name) continue;
    if (name !== null && other.deptypes.join() === dependency.deptypes.join()) {
      constrain(other.spec, dependency.spec);
      other.virtuals = sorted([...other.virtuals, ...dependency.virtuals]);
      return null;
    }
    if (!areCompatible(other.deptypes, dependency.deptypes)) refuseBoth('dependencies', dependencyText(other), dependencyText(dependency));
  }
  query.dependencies.push(dependency);
  return dependency;
}
