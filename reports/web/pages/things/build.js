// One build: what it is, when it was there, what it needs and what needs it, and what is like it.
import attributes_sql from '../../queries/build/attributes.sql';
import beside_sql from '../../queries/build/beside.sql';
import found_sql from '../../queries/build/found.sql';
import nearest_sql from '../../queries/build/nearest.sql';
import siblings_sql from '../../queries/build/siblings.sql';
import source_sql from '../../queries/build/source.sql';
import { count, element, show } from '../../dom/element.js';
import { code, copyButton, hashLink, later, linksTo, muted, pageTitle, panel, versioned } from '../../dom/parts.js';
import { objects, sum, sums } from '../../data/ask.js';
import { runSql } from '../../data/ledger.js';
import { about, snapshotNamed } from '../../data/site.js';
import { address } from '../../shell/address.js';
import { hashOf } from '../../shell/search_text.js';
import { isSafe, mirrorsOf, mirrorUrl } from './mirrors.js';
import { timePanel } from './times.js';
import { dependencyPanel, dependentPanel } from './tree.js';
import { differenceOfBuilds } from '../../spec/match.js';
import { fits } from '../../spec/values.js';
import { variantWords } from '../../table/selection.js';

const link = (page, text) => text && element('a', { href: address(page, text) }, text);
const codeOr = (none, text) => (text === '' ? none : text && code(text));

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
  return names && linksTo('stack', names.split(','));
}

/// What no source says is told as "not known"; what only nodes have is left out where the ledger has none of the build.
function attributeList(build) {
  const node = build.knows_dependencies === 1;
  const rows = [
    ['package', link('package', build.package)], ['version', build.version],
    ['compiler', build.compiler ? link('compiler', build.compiler) : node ? 'none' : null],
    ['target', link('target', build.target)], ['os', build.os], ['platform', build.platform],
    ['stacks', stacks(build), build.is_here ? undefined : 'not in this snapshot'],
    ['size', size(build.size)],
    ...(node ? [
      ['flags', codeOr('none', build.flags)], ['patches', codeOr('none', build.patches)], ['namespace', build.namespace],
      ['package hash', codeOr(null, build.package_hash)], ['external', external(build)],
    ] : []),
    ...(build.build_hash ? [['spliced from', hashLink(build.build_hash, `/${build.build_hash}`)]] : []),
    ...(build.build_hashes ? [['old lock files call it', build.build_hashes.split(',').map((hash) => [code(`/${hash}`), ' '])]] : []),
  ];
  return [
    element('dl', { class: 'attributes' }, rows.map(([name, value, none = 'not known']) => [
      element('dt', {}, name), element('dd', {}, value ?? element('span', { class: 'muted' }, none))])),
    !node && muted('Flags, patches, recipe and dependencies are not known: pages do not list them.'),
  ];
}

/// Each variant is a chip; one that no sibling has is marked. `siblings` are rows of siblings.sql.
function variantChips(build, siblings) {
  const words = variantWords(build.variants ?? '');
  const others = sum(siblings, 'builds');
  const words_there = siblings.flatMap(({ variants, builds }) => [...new Set(variantWords(variants ?? ''))].map((word) => ({ word, builds })));
  const having = sums(words_there, 'word', 'builds');
  const chip = (word) => {
    const is_own = others > 0 && !having.has(word);
    return element('code', {
      class: is_own ? 'chip own' : 'chip',
      title: others > 0 && `${show(having.get(word) ?? 0)} of ${count(others, 'other build')} of the snapshot have it`,
    }, word, is_own && element('span', { class: 'offscreen' }, ' (no other build has it)'));
  };
  return element('div', {}, element('h3', {}, 'Variants'),
    build.variants == null ? muted('not known') : words.length === 0 ? muted('none') : element('p', { class: 'chips' }, words.map(chip)),
    others > 0 && element('p', { class: 'muted small' }, words.some((word) => !having.has(word))
      ? `Marked: what none of the ${count(others, 'other build')} of ${build.package} in this snapshot has.`
      : others === 1 ? `The other build of ${build.package} in this snapshot has all of these, too.`
        : `Each of these is in at least one of the ${show(others)} other builds of ${build.package} in this snapshot.`));
}

const most_found = 200;

/// The builds to choose from: rows of found.sql as objects.
function choice(asked, builds) {
  const number = builds.length === most_found ? `The first ${count(most_found, 'build')}` : count(builds.length, 'build');
  const line = (build) => element('li', {}, hashLink(build.hash, `/${build.hash}`, { package: build.package }), ' ',
    element('b', {}, versioned(build)), ' ',
    element('span', { class: 'muted' }, [build.compiler && `%${build.compiler}`, build.target, build.variants].filter(Boolean).join(' ')),
    !build.is_here && [' ', element('span', { class: 'chip' }, 'not in this snapshot')]);
  return [
    pageTitle(`/${asked}`, `${number} whose hash begins with /${asked}. Type more of the hash, or choose one.`),
    element('section', { class: 'panel' }, element('ul', { class: 'builds' }, builds.map(line))),
  ];
}

function sharedBeginning(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) ++length;
  return a.slice(0, length);
}

/// Says so, and leads to the builds that begin with as much of it as any does.
function nothingFound(asked, signal) {
  const nearest = later(runSql(beside_sql, { hash: asked }, signal), ({ rows }) => {
    const [longest] = rows.flat().filter((hash) => hash !== null).map((hash) => sharedBeginning(asked, hash))
      .sort((a, b) => b.length - a.length);
    return longest ? element('p', {}, 'Nearest: the builds that begin with ', hashLink(longest, `/${longest}`)) : null;
  });
  return [
    pageTitle('No such build', `No build of the ledger has a hash that begins with /${asked}.`),
    element('section', { class: 'panel' }, nearest,
      element('p', {}, hashOf(`/${asked}`) === null ? 'Look at '
        : [element('a', { href: address('search', '', { q: `/${asked}` }) }, 'Search for it'), ', or look at '],
      element('a', { href: address('') }, 'what the cache has'), '.')),
  ];
}

// The commands that make Spack install a build from the cache.
const unknown_url = 'URL';

/// A command, and a button that copies it.
export const command = (text) => element('p', { class: 'install' }, code(text), copyButton('Copy', text));

/// `spack mirror add NAME URL` for one of the stacks, which the reader chooses. `stacks` may be empty.
export function mirrorLine(stacks, at, signal) {
  const snapshot = snapshotNamed(at);
  if (!snapshot) return null;
  const choice = element('select', { 'aria-label': 'Stack of the mirror' }, stacks.map((name) => element('option', { value: name }, name)));
  const place = element('div', {});
  const draw = (mirrors) => {
    const stack = stacks.length > 0 ? choice.value : null;
    const url = mirrorUrl(about.mirror, mirrors, stack, snapshot.tag);
    const name = stack ?? snapshot.tag;
    const known = url !== null && isSafe(url);
    const line = command(`spack mirror add ${isSafe(name) ? name : 'NAME'} ${known ? url : unknown_url}`);
    if (stacks.length > 1) line.prepend(element('label', { class: 'muted' }, 'Stack ', choice));
    const said = [!isSafe(name) && 'NAME is any name for it.', !known && `${unknown_url} stands for the mirror's URL, which this site does not know.`];
    if (said.some(Boolean)) line.append(element('span', { class: 'muted' }, said.filter(Boolean).join(' ')));
    place.replaceChildren(line);
  };
  const sources = about.mirror || snapshot.kind !== 'index' ? Promise.resolve([])
    : runSql(source_sql, { at }, signal).then(({ rows: [[source]] }) => mirrorsOf(source));
  return later(sources, (mirrors) => {
    choice.addEventListener('change', () => {
      draw(mirrors);
      choice.focus();
    });
    draw(mirrors);
    return place;
  });
}

/// The two commands for a build.
function setUp(build, at, signal) {
  if (!at || !/^[a-z2-7]{32}$/.test(build.hash)) return null;
  if (build.external === 1) {
    return element('p', { class: 'muted set-up' }, 'It is external: it is not in a cache, and Spack uses it where it is.');
  }
  const stacks = (build.is_here && build.stacks?.split(',').filter(Boolean)) || [];
  return element('section', { class: 'panel set-up', 'aria-label': 'Set-up' },
    build.is_here ? mirrorLine(stacks, at, signal)
      : muted('The snapshot in view does not have it; Spack may not find it in the cache.'),
    command(`spack install --cache-only /${build.hash}`));
}

// The builds of the package that are nearest to one, and what differs, in the words of the command specs.
const most_nearest = 5;

// A build as builds_by_id.sql has it, from a row of attributes.sql or nearest.sql.
const inWords = (build) => ({
  ...build, spliced: build.knows_dependencies ? build.build_hash ?? 'no' : null,
  external: build.external === 1 ? build.external_path ?? build.external_modules ?? 'yes' : build.external === 0 ? 'no' : null,
});

/// What of `other`, a row of nearest.sql, differs from the build. What no source says of one of the two differs in nothing.
function differences(build, other) {
  const fit = other.family > 0 ? fits.other_family : other.target_distance;
  const { words } = differenceOfBuilds(inWords(build), inWords(other), { fit: () => fit });
  if (words.length > 0) return words;
  // Not a difference: a source may not say the compiler (pages name it for each build, or for none).
  if ((build.compiler === null) !== (other.compiler === null)) return ['the compiler is not given for both'];
  return [other.other_dependencies ? `dependencies: ${other.other_dependencies}` : 'nothing but the hash'];
}

function nearestPanel(spec_id, build, at, signal) {
  if (!at) return null;
  const line = (other) => element('li', {}, hashLink(other.hash), ' ',
    differences(build, other).map((word) => element('code', { class: 'chip' }, word)),
    other.builds > 1 && element('span', { class: 'muted' }, ` ${count(other.builds, 'build')} that look the same`));
  return panel('Nearest builds', `Builds of ${build.package} in this snapshot, and what of them differs.`,
    later(runSql(nearest_sql, { spec_id, at, most: most_nearest }, signal), (data) => (data.rows.length > 0
      ? element('ul', { class: 'near' }, objects(data).map(line))
      : muted(`The snapshot has no other build of ${build.package}.`))));
}

function title(build, at) {
  return pageTitle(versioned(build),
    code(`/${build.hash}`), ' ', copyButton('Copy', `/${build.hash}`, { class: 'quiet small' }), ' · ',
    element('a', { href: address('package', build.package) }, `all builds of ${build.package}`),
    at && [' · ', code(at), build.is_here ? ' has it' : ' does not have it']);
}

function whole(spec_id, build, at, signal) {
  const node = { spec_id, at, signal };
  const attributes = panel('What it is', null, attributeList(build),
    later(runSql(siblings_sql, { spec_id, at }, signal), (data) => variantChips(build, objects(data))));
  const times = timePanel(spec_id, build, signal);
  const trees = [dependencyPanel(build, node), dependentPanel(build, node)];
  const nearest = nearestPanel(spec_id, build, at, signal);   // asked last: it takes most of the time
  return [
    title(build, at),
    setUp(build, at, signal),
    element('div', { class: 'columns' }, attributes, element('div', {}, times, nearest)),
    element('div', { class: 'columns' }, trees),
  ];
}

export function buildPage({ at, name, given, signal }) {
  const asked = name.trim().replace(/^\//, '');
  if (asked === '') return [pageTitle('Builds', 'The address of a build ends in its hash, or in the beginning of its hash.')];
  const found = runSql(found_sql, { beginning: asked, at, most: most_found }, signal).then((data) => {
    const builds = objects(data).filter((one) => !given.has('package') || one.package === given.get('package'));
    const exact = builds.filter((one) => one.hash === asked);
    return exact.length > 0 ? exact : builds;
  });
  const page = found.then(async (builds) => {
    if (builds.length === 0) return nothingFound(asked, signal);
    if (builds.length > 1) return choice(asked, builds);
    const [{ spec_id }] = builds;
    const [build] = objects(await runSql(attributes_sql, { spec_id, at }, signal));
    return whole(spec_id, build, at, signal);
  });
  return [later(page, (elements) => {
    // The router names the window before the build is known.
    document.title = `${elements[0].querySelector('h1').textContent} · cacheledger`;
    return elements;
  })];
}
