// What is known of a build, and its variants beside those of the other builds of its package.
import { element } from '../../../dom/element.js';
import { count, show } from '../../../dom/format.js';
import { sum } from '../../../data/rows.js';
import { address } from '../../../shell/address.js';
import { variantWords } from '../../../table/kinds.js';
import { hashLink } from './link.js';

const link = (page, text) => text && element('a', { href: address(page, text) }, text);
const code = (text) => text && element('code', {}, text);

function external({ external: is_external, external_path, external_modules }) {
  if (is_external == null) return null;
  if (is_external === 0) return 'no';
  return ['yes', external_path && [', at ', code(external_path)], external_modules && [', modules ', code(external_modules)]];
}

// A size is a number of bytes, or what a page says.
function size(text) {
  if (text == null) return null;
  return /^\d{1,13}$/.test(text) ? `${show(Number(text))} bytes` : text;
}

function stacks({ is_here, stacks: names }) {
  if (!is_here) return null;
  if (names === '') return 'none';
  return names?.split(',').map((name, index) => [index > 0 && ', ', link('stack', name)]);
}

/// What no source says is told as "not known"; what only nodes have is left out where the ledger has none of the build.
export function attributeList(build) {
  const node = build.knows_dependencies === 1;
  const rows = [
    ['package', link('package', build.package)], ['version', build.version],
    ['compiler', build.compiler ? link('compiler', build.compiler) : node ? 'none' : null],
    ['target', link('target', build.target)], ['os', build.os], ['platform', build.platform],
    ['stacks', stacks(build), build.is_here ? undefined : 'not in this snapshot'],
    ['size', size(build.size)],
    ...(node ? [
      ['flags', build.flags === '' ? 'none' : code(build.flags)], ['patches', build.patches === '' ? 'none' : code(build.patches)],
      ['namespace', build.namespace], ['package hash', code(build.package_hash)], ['external', external(build)],
    ] : []),
    ...(build.build_hash ? [['spliced from', hashLink(build.build_hash, `/${build.build_hash}`)]] : []),
    ...(build.build_hashes ? [['old lock files call it', build.build_hashes.split(',').map((hash) => [code(`/${hash}`), ' '])]] : []),
  ];
  return [
    element('dl', { class: 'attributes' }, rows.map(([name, value, none = 'not known']) => [
      element('dt', {}, name), element('dd', {}, value ?? element('span', { class: 'muted' }, none))])),
    !node && element('p', { class: 'muted' }, 'Flags, patches, recipe and dependencies are not known: pages do not list them.'),
  ];
}

/// Each variant is a chip; one that no sibling has is marked. `siblings` are rows of siblings.sql.
export function variantChips(build, siblings) {
  const words = variantWords(build.variants ?? '');
  const others = sum(siblings, 'builds');
  const having = new Map();
  for (const { variants, builds } of siblings) {
    for (const word of new Set(variantWords(variants ?? ''))) having.set(word, (having.get(word) ?? 0) + builds);
  }
  const chip = (word) => {
    const is_own = others > 0 && !having.has(word);
    return element('code', {
      class: is_own ? 'chip own' : 'chip',
      title: others > 0 && `${show(having.get(word) ?? 0)} of ${count(others, 'other build')} of the snapshot have it`,
    }, word, is_own && element('span', { class: 'offscreen' }, ' (no other build has it)'));
  };
  return element('div', {}, element('h3', {}, 'Variants'),
    build.variants == null ? element('p', { class: 'muted' }, 'not known')
      : words.length === 0 ? element('p', { class: 'muted' }, 'none') : element('p', { class: 'chips' }, words.map(chip)),
    others > 0 && element('p', { class: 'muted small' }, words.some((word) => !having.has(word))
      ? `Marked: what none of the ${count(others, 'other build')} of ${build.package} in this snapshot has.`
      : others === 1 ? `The other build of ${build.package} in this snapshot has all of these, too.`
        : `Each of these is in at least one of the ${show(others)} other builds of ${build.package} in this snapshot.`));
}
