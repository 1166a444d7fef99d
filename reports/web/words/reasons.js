// A reason for new hashes as people say it (reports/questions/why/reason_phrase.cpp).
import { groupBy } from '../data/rows.js';
import { listed } from './numbers.js';

const most_names = 3;

/// The change of an option: "abi=none dropped" for "abi: none -> (none)", "api=v18 added" for "api: (none) -> v18".
export function optionWords(change) {
  const [, name, values] = /^(.*?): (.*)$/s.exec(change) ?? [];
  if (name === undefined) return change;
  const [before, after] = halves(values);
  if (after === undefined) return values === '(none)' ? `${name} dropped` : change;
  if (after === '(none)') return `${name}=${before} dropped`;
  return before === '(none)' ? `${name}=${after} added` : change;
}

// "a -> b" as its two sides.
function halves(text) {
  const at = text.indexOf(' -> ');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 4)];
}

const without = (text, start) => (text.startsWith(start) ? text.slice(start.length) : null);
const options = (change) => change.split('; ').filter((part) => part !== '').map(optionWords).join('; ');

// A phrase: `kind` before the name, `one` behind it, and the same for several names.
const plain = (name, one, many = one) => ({ kind: '', kinds: '', name, one, many });
const verb = (name, one, many, rest) => plain(name, `${one} ${rest}`, `${many} ${rest}`);
const is = (name, rest) => verb(name, 'is', 'are', rest);
const was = (name, rest) => verb(name, 'was', 'were', rest);
const changed = (name, how = '') => plain(name, `changed${how}`);
const ofPackage = (kind, kinds, name) => ({ kind, kinds, name, one: 'changed', many: 'changed' });

// "removed: zlib; dependency added: zstd" as "depends on zstd instead of zlib".
function edgesPhrase(name, change) {
  const parts = change.split('; ');
  const of = (start) => parts.map((part) => without(part, start)).filter((rest) => rest !== null);
  const [added, removed, kinds, virtuals] = ['dependency added: ', 'removed: ', 'edge: ', 'virtuals: '].map(of);
  const used = of('uses: ').map(halves).map(([before, after]) => `${after} instead of ${before}`);
  const all = (words) => listed(words, most_names);
  const verbs = [];
  const depends = (rest) => verbs.push(['depends', 'depend', rest]);
  const uses = (rest) => verbs.push(['uses', 'use', rest]);
  if (added.length > 0 && removed.length > 0) depends(`on ${all(added)} instead of ${all(removed)}`);
  else if (added.length > 0) depends(`on ${all(added)} now`);
  else if (removed.length > 0) depends(`no longer on ${all(removed)}`);
  if (kinds.length > 0) depends(`in another way on ${all(kinds)}`);
  if (virtuals.length > 0) uses(`other virtuals of ${all(virtuals)}`);
  if (used.length > 0) uses(all(used));
  const one = all(verbs.map(([word, , rest]) => `${word} ${rest}`));
  const many = all(verbs.map(([, word, rest]) => `${word} ${rest}`));
  return name === '' ? plain('several packages', many) : plain(name, one, many);
}

// "/usr -> /opt/gcc", "no -> /usr", "/usr -> no".
function externalPhrase(name, paths) {
  const [before, after] = halves(paths);
  if (before === 'no') return is(name, `now external, in ${after}`);
  if (after === 'no') return is(name, `no longer external (it was in ${before})`);
  const moved = `moved from ${before} to ${after}`;
  return { kind: 'external', kinds: 'external', name, one: moved, many: moved };
}

// "version: 15.2.0", beside another build that is still there.
function besidePhrase(name, change) {
  const version = without(change, 'version: ');
  if (version !== null) return was(`${name} ${version.split('; ')[0]}`, 'added');   // other attributes follow from the version
  if (change === 'recipe') return was(`a build of ${name} with another recipe`, 'added');
  if (change === 'patches') return was(`a build of ${name} with other patches`, 'added');
  const external = change.includes('; ') ? null : without(change, 'external: ');
  if (external === 'no') return was(`a build of ${name} that is not external`, 'added');
  if (external !== null) return was(`external ${name} in ${external}`, 'added');
  return was(`another build of ${name} (${options(change)})`, 'added');
}

const parts_of_package = {
  recipe: ['the recipe of', 'the recipes of'], patches: ['the patches of', 'the patches of'], flags: ['the flags of', 'the flags of'],
};

function ownPhrase(name, change) {
  if (change === 'new package') return { kind: 'the package', kinds: 'the packages', name, one: 'was added', many: 'were added' };
  const beside = without(change, 'beside; ');
  if (beside !== null) return besidePhrase(name, beside);
  if (Object.hasOwn(parts_of_package, change)) return ofPackage(...parts_of_package[change], name);
  const version = without(change, 'version: ');
  if (version !== null) {   // other attributes follow from another version
    const [before, after] = halves(version.split('; ')[0]);
    return changed(name, ` from ${before} to ${after}`);
  }
  const external = change.includes('; ') ? null : without(change, 'external: ');
  return external === null ? changed(name, ` (${options(change)})`) : externalPhrase(name, external);
}

/// `row`: one of drift/why, as an object.
export function reasonPhrase(row) {
  const [name, change] = [row.package ?? '', row.change ?? ''];
  switch (row.class) {
    case 'target-definition': return changed('the definition of targets');
    case 'hash-definition': return changed('the definition of the hash');
    case 'unexplained': return verb(name, 'has', 'have', `another hash, and what differs is not known${change === 'respelled'
      ? ': another Spack rewrote the description' : ''}`);
    case 'edges': return edgesPhrase(name, change);
    default: return ownPhrase(name, change);
  }
}

/// "the recipes of a and b changed, and c was added": phrases that say the same are one.
export function reasonClause(phrases) {
  const clauses = groupBy(phrases, (phrase) => `${phrase.kind}\n${phrase.one}`);
  return [...clauses.values()].map((alike) => {
    const [first] = alike;
    const before = alike.length === 1 ? first.kind : first.kinds;
    const names = listed(alike.map((phrase) => phrase.name), most_names);
    return `${before === '' ? '' : `${before} `}${names} ${alike.length === 1 ? first.one : first.many}`;
  }).join(', and ');
}
