// The builds of the package that are nearest to one, and what differs, in the words of the command specs.
import nearest_sql from '../../../queries/build/nearest.sql';
import { element } from '../../../dom/element.js';
import { count } from '../../../dom/format.js';
import { later, panel } from '../../../dom/parts.js';
import { objects } from '../../../data/ask.js';
import { runSql } from '../../../data/ledger.js';
import { fits } from '../../../spec/reading/targets.js';
import { variantWords } from '../../../table/kinds.js';
import { hashLink } from './link.js';

const most_nearest = 5;

/// {name: 'true' | 'false' | values} of the text of a set of variants.
function variantMap(text) {
  return new Map(variantWords(text).map((word) => {
    if (/^[+~]/.test(word)) return [word.slice(1), word[0] === '+' ? 'true' : 'false'];
    const end = word.search(/:?=/);
    return end < 0 ? [word, ''] : [word.slice(0, end), word.slice(word.indexOf('=') + 1)];
  }));
}

const is_boolean = (value) => value === 'true' || value === 'false';

function variantDifferences(from, to) {
  if (from == null || to == null) return [];
  const [here, there] = [variantMap(from), variantMap(to)];
  return [...new Set([...here.keys(), ...there.keys()])].sort().filter((name) => here.get(name) !== there.get(name))
    .filter((name) => name !== 'patches' && (name !== 'build_system' || (here.has(name) && there.has(name))))
    .map((name) => {
      const [old, now] = [here.get(name), there.get(name)];
      return is_boolean(old) && is_boolean(now) ? (now === 'true' ? '+' : '~') + name
        : `${name}: ${old ?? '(none)'} -> ${now ?? '(none)'}`;
    });
}

const change = (what, from, to) => (from == null || to == null || from === to ? null : `${what}: ${from} -> ${to}`);
const changed = (what, from, to) => (from == null || to == null || from === to ? null : what);
const orNone = (text) => (text === '' ? '(none)' : text);

// The patches of a node, else those of the variants.
function patchesOf({ patches, variants }) {
  return patches ?? (variants == null ? null : (variantMap(variants).get('patches') ?? '').split(',').join(' '));
}

function externalText({ external, external_path, external_modules }) {
  if (external == null) return null;
  return external === 0 ? 'no' : external_path ?? external_modules ?? 'yes';
}

function target(build, other) {
  const words = change('target', build.target, other.target);
  if (words === null) return null;
  return words + (other.family > 0 ? ' (another family)' : other.target_distance === fits.may_not_run ? ' (may not run there)' : '');
}

/// What of `other`, a row of nearest.sql, differs from the build. What no source says of one of the two differs in nothing.
export function differences(build, other) {
  const spliced = (one) => (one.knows_dependencies ? one.build_hash ?? 'no' : null);
  const words = [
    change('platform', build.platform, other.platform), change('os', build.os, other.os), target(build, other),
    change('version', build.version, other.version), ...variantDifferences(build.variants, other.variants),
    change('compiler', build.compiler, other.compiler),
    change('flags', build.flags == null ? null : orNone(build.flags), other.flags == null ? null : orNone(other.flags)),
    changed('patches', patchesOf(build), patchesOf(other)), changed('recipe', build.package_hash, other.package_hash),
    change('namespace', build.namespace, other.namespace), change('external', externalText(build), externalText(other)),
    change('spliced', spliced(build), spliced(other)),
  ].filter(Boolean);
  if (words.length > 0) return words;
  // Not a difference: a source may not say the compiler (pages name it for each build, or for none).
  if ((build.compiler === null) !== (other.compiler === null)) return ['the compiler is not given for both'];
  return [other.other_dependencies ? `dependencies: ${other.other_dependencies}` : 'nothing but the hash'];
}

export function nearestPanel(spec_id, build, at, signal) {
  if (!at) return null;
  const line = (other) => element('li', {}, hashLink(other.hash), ' ',
    differences(build, other).map((word) => element('code', { class: 'chip' }, word)),
    other.builds > 1 && element('span', { class: 'muted' }, ` ${count(other.builds, 'build')} that look the same`));
  return panel('Nearest builds', `Builds of ${build.package} in this snapshot, and what of them differs.`,
    later(runSql(nearest_sql, { spec_id, at, most: most_nearest }, signal), (data) => (data.rows.length > 0
      ? element('ul', { class: 'near' }, objects(data).map(line))
      : element('p', { class: 'muted' }, `The snapshot has no other build of ${build.package}.`))));
}
