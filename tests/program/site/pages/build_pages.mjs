// The pages of builds, stacks, compilers and targets, compared with what the program prints.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { isSafe, mirrorsOf, mirrorUrl } from '../../../../reports/web/pages/things/mirrors.js';
import { data } from '../browser.mjs';
import { hostile_name, hostile_stack, shown_stack, writeHostilePages } from '../hostile_pages.mjs';

const query = (name) => fs.readFileSync(new URL(`../../../../reports/web/queries/${name}.sql`, import.meta.url), 'utf8');

// Two series of a mirror (with dependencies) and one of pages: builds that came, went, moved, were rebuilt, and are only needed.
function make(run) {
  const [earlier, later] = ['earlier', 'later'].map((name) => data(`mirrors/${name}`));
  run('ingest', `e4s=${earlier}`, '--tag', 'moved', '--taken-at', '2025-02-10');
  run('ingest', `e4s=${later}`, `ml=${earlier}`, '--tag', 'moved', '--taken-at', '2025-03-10');
  run('ingest', `e4s=${earlier}`, '--tag', 'mirror', '--taken-at', '2025-02-10');
  run('ingest', `e4s=${later}`, '--tag', 'mirror', '--taken-at', '2025-03-10');
  run('ingest', data('pages/earlier'), '--taken-at', '2025-02-10');
  run('ingest', data('pages/later'), '--taken-at', '2025-03-10');
}

const at = 'mirror@2025-03-10T00:00:00Z';
const place = (hash, snapshot = at) => `#/build/${hash}?at=${snapshot}`;

const texts = (site, selector) => site.page.locator(selector).allInnerTexts();

async function attributes(site) {
  const [names, values] = await Promise.all([texts(site, '.attributes dt'), texts(site, '.attributes dd')]);
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

async function hasAttributes(site, { program }) {
  for (const row of program('sql', `SELECT * FROM specs WHERE snapshot = '${at}'`)) {
    await site.go(place(row.hash));
    assert.equal(await site.text('h1'), `${row.package}@${row.version}`);
    const shown = await attributes(site);
    const wanted = {
      package: row.package, version: row.version, target: row.target, os: row.os, platform: row.platform, compiler: row.compiler ?? 'none',
      stacks: row.stacks.split(',').join(', '), namespace: row.namespace, 'package hash': row.package_hash ?? 'not known',
      flags: row.flags === '' ? 'none' : row.flags, external: row.external ? 'yes' : 'no',
      size: row.size === null ? 'not known' : `${Number(row.size).toLocaleString('en')} bytes`,
    };
    for (const [name, value] of Object.entries(wanted)) assert.equal(shown[name], value, `${name} of ${row.hash}`);
    const chips = (await texts(site, '.chips .chip')).map((text) => text.replace(/\s*\(no other.*/s, ''));
    assert.equal(chips.join(' '), row.variants);
  }
}

// Every build of the ledger: the events are those of `history /HASH`.
async function hasHistory(site, { program }) {
  const hashes = program('sql', `SELECT DISTINCT hash FROM specs WHERE tag <> 'develop'
    UNION SELECT * FROM (SELECT DISTINCT hash FROM specs WHERE tag = 'develop' ORDER BY hash LIMIT 4)`);
  for (const { hash } of hashes) {
    await site.go(place(hash));
    // The page says beside the series that a build is still there.
    const wanted = program('history', `/${hash}`).filter((row) => row.event !== 'still there').map((row) => [row.taken_at, row.event]);
    const moments = await site.page.locator('.life time').evaluateAll((list) => list.map((one) => one.dateTime));
    const events = await texts(site, '.life .event');
    assert.deepEqual(moments.map((moment, index) => [moment, events[index]]), wanted, hash);
  }
}

const of_change = { added: 'removed', removed: 'added' };

// Of each build that came or went, in each pair of snapshots of a series: the cause and the partners are those of the drift.
async function hasReplaced(site, { program }) {
  const ask = (sql, given) => site.page.evaluate(([text, args]) => globalThis.cacheledger.sql(text, args)
    .then(({ columns, rows }) => rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])))), [sql, given]);
  const causes = new Set();
  for (const tag of ['moved', 'mirror', 'develop']) {
    const pair = ['--from', `${tag}~1`, '--to', tag];
    const specs = program('report', 'drift/specs', ...pair);
    const groups = program('report', 'drift/rebuilt', ...pair);
    for (const { hash, change, cause } of specs.filter((_, index) => index % Math.ceil(specs.length / 30) === 0)) {
      const [{ spec_id }] = await ask(query('build/found'), { beginning: hash, at, most: 2 });
      const told = (await ask(query('build/replaced'), { spec_id })).filter((row) => row.change === change && row.before?.startsWith(`${tag}@`));
      assert.ok(told.length > 0, hash);
      const expected = ['rebuilt', 'copies'].includes(cause) ? cause : null;
      assert.ok(told.every((row) => row.cause === expected), `${hash}: ${told[0].cause}, not ${expected}`);
      causes.add(expected);
      if (expected !== 'rebuilt') continue;
      const group = groups.find((one) => `${one.hashes_before},${one.hashes_after}`.includes(hash));
      const others = specs.filter((one) => one.cause === 'rebuilt' && one.change === of_change[change] &&
        `${one.change === 'added' ? group.hashes_after : group.hashes_before}`.includes(one.hash)).map((one) => one.hash).sort();
      assert.deepEqual([told.map((row) => row.hash), told[0].added, told[0].removed], [others, group.added, group.removed], hash);
    }
  }
  assert.deepEqual([...causes].map(String).sort(), ['copies', 'null', 'rebuilt']);
}

const gone = (program) => program('report', 'drift/specs', '--from', 'develop~1', '--to', 'develop').filter((row) => row.change === 'removed');

async function leadsToReplaced(site, { program }) {
  const one = gone(program).find((row) => row.cause === 'rebuilt');
  await site.go(`#/build/${one.hash}`);
  await site.page.locator('.replaced summary').click();
  const link = site.page.locator('.replaced a').first();
  const hash = decodeURIComponent((await link.getAttribute('href')).split(/[/?]/)[2]);
  await link.click();
  await site.arrived(`#/build/${hash}`);
  assert.equal(await site.text('.title code'), `/${hash}`);
  assert.match(await site.text('.replaced'), /^replaced one of \d/);
}

async function hasNearest(site, { program, notes }) {
  const [one] = gone(program);
  await site.go(`#/build/${one.hash}`);
  const said = notes('specs', `/${one.hash}`, '--format', 'json').matchAll(/near: (\/\w+) \((\d+) builds?\), (.*)/g);
  const wanted = [...said].map(([, ...parts]) => parts);
  assert.ok(wanted.length > 1);
  const shown = await site.page.locator('.near li').evaluateAll((lines) => lines.map((line) => [
    line.querySelector('a').textContent, /(\d+) builds/.exec(line.querySelector('.muted')?.textContent ?? '1 builds')[1],
    [...line.querySelectorAll('.chip')].map((chip) => chip.textContent).join('; ')]));
  assert.deepEqual(shown, wanted);
}

async function hasTree(site, { program }) {
  const builds = program('sql', 'SELECT hash FROM dependencies UNION SELECT dependency_hash FROM dependencies');
  let counted = 0;
  for (const { hash } of builds) {
    await site.go(place(hash));
    const direct = program('sql', `SELECT dependency AS package, dependency_hash AS hash FROM dependencies WHERE hash = '${hash}' ORDER BY 1, 2`);
    const below = site.page.locator('.panel', { has: site.page.getByRole('heading', { name: 'Dependencies', exact: true }) });
    const links = below.locator('.tree > ul > li > .node a');
    const shown = await links.evaluateAll((list) => list.map((one) => decodeURIComponent(one.hash.split(/[/?]/)[2])));
    assert.deepEqual(shown, direct.map((row) => row.hash), hash);
    const [{ all }] = program('sql', `WITH RECURSIVE b (h) AS (
      SELECT dependency_hash FROM dependencies WHERE hash = '${hash}' UNION SELECT dependency_hash FROM b JOIN dependencies ON hash = h)
      SELECT count(*) AS "all" FROM b`);
    if (direct.length > 0) assert.match(await below.locator('.counted').innerText(), new RegExp(`^${direct.length} directly, ${all} in all `));

    const wanted = program('dependents', `/${hash}`, '--at', at);
    if (wanted.all === 0) continue;
    ++counted;
    const above = site.page.locator('.panel', { has: site.page.getByRole('heading', { name: 'Dependents' }) });
    assert.match(await above.locator('.counted').innerText(), new RegExp(`^${wanted.direct} build`));
    await site.page.locator('.count-all').click();
    await site.settled();
    assert.match(await above.locator('.counted').innerText(),
      new RegExp(`In this snapshot ${wanted.direct} directly, ${wanted.all} in all, of ${wanted.packages} package`));
  }
  assert.ok(counted > 2);
}

async function opensTree(site, { program }) {
  const [{ hash }] = program('specs', 'netcdf-c', '--at', at);
  await site.go(place(hash));
  const tree = site.page.locator('.tree').first();
  const hdf5 = tree.locator('li', { has: site.page.locator('> .node a', { hasText: 'hdf5@' }) }).first();
  await site.page.keyboard.press('Tab');
  await hdf5.locator('> .node .toggle').focus();
  await site.page.keyboard.press('Enter');
  await hdf5.locator('> ul > li').first().waitFor();
  await site.settled();
  const names = await hdf5.locator('> ul > li > .node a').allInnerTexts();
  assert.deepEqual(names.map((name) => name.split('@')[0]), ['cmake', 'openmpi', 'zlib-ng']);
  assert.match(await hdf5.locator('> ul > li', { hasText: 'openmpi@' }).innerText(), /link/);
  const cmake = tree.locator('> ul > li', { hasText: 'cmake@' }).last();
  assert.match(await cmake.innerText(), /build/);
  assert.equal(await tree.locator('.toggle[aria-expanded=true]').count(), 1);
  await hdf5.locator('> .node .toggle').click();
  assert.equal(await hdf5.locator('> ul').isVisible(), false);
}

// cmake is in no snapshot: others only need it.
async function isFoundWithoutSnapshot(site, { program }) {
  const [{ hash }] = program('sql', 'SELECT DISTINCT dependency_hash AS hash FROM dependencies WHERE dependency = \'cmake\'');
  await site.go(place(hash));
  assert.match(await site.text('h1'), /^cmake/);
  assert.match(await site.text('main'), /It is in no snapshot: other builds only depend on it/);
}

async function isFoundByPrefix(site, { program }) {
  const hashes = program('sql', 'SELECT DISTINCT hash FROM spec ORDER BY hash').map((row) => row.hash);
  const letter = hashes[0][0];
  await site.go(`#/build/${letter}`);
  const begin = hashes.filter((hash) => hash.startsWith(letter));
  assert.deepEqual((await texts(site, '.builds a')).map((text) => text.slice(1)), begin);
  await site.page.locator('.builds a').first().click();
  await site.arrived(`#/build/${begin[0]}`);
  await site.go(`#/build/${begin[0].slice(0, 12)}`);
  assert.equal(await site.text('.title code'), `/${begin[0]}`);
  await site.go('#/build/0nothing');
  assert.match(await site.text('main'), /No build of the ledger has a hash that begins with \/0nothing/);
  const near = begin[0].slice(0, 5);
  await site.go(`#/build/${near}1`);
  assert.match(await site.text('main'), new RegExp(`Nearest: the builds that begin with /${near}`));
}

async function tellsCommands(site, { program }) {
  const [row] = program('sql', 'SELECT hash, stacks FROM specs WHERE tag = \'moved\' AND stacks = \'e4s,ml\'');
  await site.go(place(row.hash, 'moved@2025-03-10T00:00:00Z'));
  const commands = () => texts(site, '.set-up code');
  assert.deepEqual(await commands(), ['spack mirror add e4s https://mirror.example/moved/e4s', `spack install --cache-only /${row.hash}`]);
  await site.page.getByRole('combobox', { name: 'Stack of the mirror' }).selectOption('ml');
  assert.deepEqual((await commands())[0], 'spack mirror add ml https://mirror.example/moved/ml');
}

async function tellsUses(site, { program }) {
  const builds = program('specs', 'target=x86_64_v3', '--at', 'develop');
  await site.go('#/target/x86_64_v3?at=develop@2025-03-10T00:00:00Z');
  const packages = new Set(builds.map((row) => row.package)).size;
  assert.match(await site.text('.title p'), new RegExp(`${packages} packages? · ${builds.length} builds`));
  const [compiler] = builds.map((row) => row.compiler).filter(Boolean);
  const of_compiler = program('specs', `%${compiler}`, '--at', 'develop');
  await site.go(`#/compiler/${encodeURIComponent(compiler)}?at=develop@2025-03-10T00:00:00Z`);
  assert.match(await site.text('.title p'), new RegExp(`· ${of_compiler.length} builds`));
  const stacks = {};
  for (const row of of_compiler) for (const name of row.stacks.split(',').filter((one) => one !== 'root')) stacks[name] = (stacks[name] ?? 0) + 1;
  const shown = await site.page.locator('.bars').first().locator('li').evaluateAll((lines) => lines.map((line) =>
    [line.querySelector('.label').textContent, Number(line.querySelector('.number').textContent.replaceAll(',', ''))]));
  assert.deepEqual(Object.fromEntries(shown), stacks);
  await site.go('#/target/none');
  assert.match(await site.text('main'), /the ledger has no build of this target/);
}

async function tellsStack(site, { program }) {
  await site.go(`#/stack/ml?at=moved@2025-03-10T00:00:00Z`);
  assert.match(await site.text('main'), /moved.*born/s);
  const [row] = program('report', 'coverage/stacks', '--at', 'moved').filter((one) => one.stack === 'ml');
  assert.match(await site.text('.title p'), new RegExp(`${row.packages} packages · ${row.versions} versions · ${row.specs} builds`));
  assert.match(await site.page.locator('.title a').getAttribute('href'), /from=moved.*to=moved.*stack=ml/);
  const turns = await texts(site, '.life li');
  assert.equal(turns.length, program('report', 'history/stacks', '--stack', 'ml').length);
}

async function hostileNames(site, { program }) {
  const [build] = program('sql', 'SELECT hash, package FROM specs WHERE package LIKE \'<img%\' AND snapshot = \'develop-2025-03-30\'');
  await site.go(`#/build/${build.hash}`);
  assert.ok((await site.text('h1')).startsWith(hostile_name));
  assert.match(await site.text('main'), /note='<b>bold<\/b>'/);
  await site.go(`#/stack/${encodeURIComponent(hostile_stack)}`);
  assert.equal(await site.text('h1'), shown_stack);
  assert.match(await site.text('.install'), /spack mirror add NAME URL/);
  for (const page of ['compiler', 'target', 'build']) {
    await site.go(`#/${page}/${encodeURIComponent(hostile_name)}`);
    assert.equal(await site.page.locator('main .error').count(), 0, page);
  }
  await site.page.setViewportSize({ width: 390, height: 844 });
  for (const hash of [`#/build/${build.hash}`, '#/build/a', `#/stack/${encodeURIComponent(hostile_stack)}`, '#/target/aarch64', '#/compiler/gcc%4012.1.0']) {
    await site.go(hash);
    assert.equal(await site.isSidewaysScrollable(), false, hash);
    assert.equal(await site.page.locator('main img, main script').count(), 0, hash);
  }
  assert.equal(await site.page.evaluate(() => globalThis.taken), undefined);
}

const mirror = ['--mirror', 'https://mirror.example/{tag}/{stack}'];
const known = (act) => ({ make, options: mirror, look: (site, about, program) => act(site, program) });

/// Without a browser.
export function mirrorsAreKnown() {
  assert.deepEqual(mirrorsOf('e4s=https://x.example/e4s/v3/manifests/index/index.manifest.json ml=https://x.example/ml/build_cache/index.json'),
    [{ label: 'e4s', url: 'https://x.example/e4s' }, { label: 'ml', url: 'https://x.example/ml' }]);
  assert.deepEqual(mirrorsOf('https://x.example/cache/'), [{ label: null, url: 'https://x.example/cache' }]);
  assert.deepEqual(mirrorsOf('https://x.example/old/index.json.gz e4s=/srv/mirror'), []);
  const mirrors = mirrorsOf('e4s=https://x.example/e4s https://x.example/all');
  assert.deepEqual(['e4s', 'ml'].map((stack) => mirrorUrl(null, mirrors, stack, 'develop')), ['https://x.example/e4s', 'https://x.example/all']);
  assert.equal(mirrorUrl(null, mirrorsOf('e4s=https://x.example/e4s'), 'ml', 'develop'), null);
  assert.equal(mirrorUrl('https://x/{tag}/{stack}', [], '$&', 'v1'), 'https://x/v1/$&');
  assert.equal(mirrorUrl('https://x/{tag}/{stack}', [], null, 'v1'), null);
  for (const word of ['$(id)', 'a b', "'", '-x', '', '`', 'a;b', '\n']) assert.equal(isSafe(word), false, word);
}

export const build_tests = {
  'The page of a build has its attributes': known(hasAttributes),
  'A build came and went as history tells': known(hasHistory),
  'What replaced a build is what the drift says': known(hasReplaced),
  'A replaced build leads to what replaced it': known(leadsToReplaced),
  'The nearest builds are those of the command specs': known(hasNearest),
  'The trees of a build are counted as dependents counts': known(hasTree),
  'A tree opens on demand, with the keyboard': known(opensTree),
  'A build that others only need has a page': known(isFoundWithoutSnapshot),
  'A build is found by the beginning of its hash': known(isFoundByPrefix),
  'A build tells how to install it from a stack': known(tellsCommands),
  'A compiler and a target tell what uses them': known(tellsUses),
  'A stack tells its life': known(tellsStack),
  'Hostile names of builds and stacks are text': {
    make(run, folder) {
      writeHostilePages(folder);
      run('ingest', folder);
    },
    look: (site, about, program) => hostileNames(site, program),
  },
};
