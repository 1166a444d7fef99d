// What two specs ask of one build together (schema/specs/queries/spec_query.cpp).
import { dependencyText, variantQueryText } from './query.js';
import { isBoolean, sorted } from './variants.js';

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
  all.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
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
