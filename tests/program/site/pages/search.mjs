// The search: the field, the page of all that matches, and the specs, which are those of the command line.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { hostile_name, writeHostilePages } from '../hostile_pages.mjs';
import { compareSpecs, randomSpecs } from '../specs/compare_specs.mjs';
import { writeSpecIndex } from '../specs/spec_index.mjs';
import { page_specs, specs } from '../specs/spec_list.mjs';

const field = (site) => site.page.locator('#find');

async function type(site, text) {
  await field(site).fill('');
  await field(site).pressSequentially(text);
}

const place = (site) => site.page.evaluate(() => decodeURIComponent(location.hash));

const group = (site, name) => site.page.getByRole('group', { name, exact: true });

/// The sentence that a group with this text comes.
const comes = (locator) => locator.waitFor({ timeout: 20000 });

export const search_tests = {
  'The search finds names of all kinds, in groups': async (site, { about, program }) => {
    const column = (sql) => program('sql', sql).map((row) => row.name);
    assert.deepEqual(about.targets, column('SELECT DISTINCT target AS name FROM arch ORDER BY 1'));
    assert.deepEqual(about.compilers, column('SELECT spec AS name FROM compiler ORDER BY sort_key'));
    const found = async (text, title, name) => {
      await type(site, text);
      await comes(group(site, title).getByRole('option').filter({ hasText: name }).first());
    };
    await found('zli', 'Packages', 'zlib');
    await found('e4', 'Stacks', 'e4s');
    await found(about.targets.at(-1).slice(0, 4), 'Targets', about.targets.at(-1));
    await found('gcc@1', 'Compilers', 'gcc@13.2.0');
    await found('2025-03-23', 'Snapshots', 'develop-2025-03-23');
    await found('drift/w', 'Reports', 'drift/why');
    assert.equal(await site.isSidewaysScrollable(), false);
    await found('<img', 'Packages', hostile_name);
    assert.equal(await site.page.locator('#found img').count(), 0);
  },

  'The search is used with the keyboard': async (site) => {
    await site.page.locator('h1').click();
    await site.page.keyboard.press('/');
    assert.equal(await site.page.evaluate(() => document.activeElement.id), 'find');
    assert.equal(await field(site).inputValue(), '');
    await site.page.keyboard.type('drift');
    await comes(group(site, 'Reports'));
    const options = site.page.locator('#found [role=option]');
    const active = () => field(site).getAttribute('aria-activedescendant');
    assert.equal(await active(), null, 'nothing is chosen at first');
    await site.page.keyboard.press('ArrowUp');
    assert.equal(await active(), `found-${await options.count() - 1}`);
    await site.page.keyboard.press('ArrowDown');
    await site.page.keyboard.press('ArrowDown');
    assert.equal(await active(), 'found-1');
    assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true');
    await site.page.keyboard.press('Escape');
    assert.deepEqual([await field(site).getAttribute('aria-expanded'), await field(site).inputValue()], ['false', 'drift']);
    await site.page.keyboard.press('ArrowDown');
    const name = await options.first().locator('span').first().textContent();
    await site.page.keyboard.press('ArrowDown');
    await site.page.keyboard.press('Enter');
    await site.arrived('#/report/');
    assert.equal(await place(site), `#/report/${name}`);
    await site.go('#/sql');
    await site.page.locator('#query').fill('');
    await site.page.locator('#query').pressSequentially('1/2');
    assert.equal(await site.page.locator('#query').inputValue(), '1/2', 'where one types, / is a character');
  },

  'A hash is found by its beginning, and leads to the build': async (site, { about, program }) => {
    const rows = program('sql', `SELECT hash, package, version FROM specs WHERE snapshot = '${about.at}' AND package = 'zlib' ORDER BY hash`);
    const [{ hash, version }] = rows;
    await type(site, `/${hash.slice(0, 1)}`);
    const entry = group(site, 'Builds').getByRole('option').filter({ hasText: `/${hash.slice(0, 7)}zlib@${version}` });
    await comes(entry);
    await type(site, hash);
    await comes(group(site, 'Builds'));
    await site.page.keyboard.press('Enter');
    await site.page.waitForFunction((one) => location.hash.startsWith(`#/build/${one}`), hash);
  },

  'A spec is answered while it is typed: builds, versions, or what is wrong with it': async (site, { about, program }) => {
    const rows = program('specs', 'zlib +mpi', '--at', about.at);
    await type(site, 'zlib +mpi');
    await comes(group(site, 'Builds'));
    assert.match(await group(site, 'Builds').textContent(), new RegExp(`${rows.length} builds? match`));
    assert.match(await group(site, 'Versions').textContent(), new RegExp(`zlib@${rows[0].version}`));
    await type(site, 'zlib@1:=');
    await site.page.locator('#found-note.error').waitFor();
    assert.equal(await site.text('#found-note'), "spec 'zlib@1:=', column 8: expected a version or nothing behind ':', found '='");
    await type(site, 'zlib ~mpi +mpi');
    await site.page.waitForFunction(() => document.getElementById('found-note').textContent.includes('once'));
    await type(site, 'zlib@9');
    await comes(group(site, 'No build matches. Nearest'));
    assert.match(await group(site, 'No build matches. Nearest').textContent(), /version: 9 -> /);
  },

  'Enter on what is no single thing leads to all that matches': async (site, { about, program }) => {
    await type(site, 'zlib +mpi');
    await site.page.keyboard.press('Enter');
    await site.arrived('#/search');
    assert.match(await place(site), /^#\/search\?q=zlib\+\+mpi|^#\/search\?q=zlib.*mpi/);
    const rows = program('specs', 'zlib +mpi', '--at', about.at);
    assert.equal(await site.page.locator('.panel h2').first().textContent(), `${rows.length} build${rows.length === 1 ? '' : 's'}`);
    const table = site.table('builds');
    const heads = await table.getByRole('columnheader').allTextContents();
    assert.deepEqual(heads, ['hash', 'version', 'compiler', 'os', 'target', 'variants', 'stacks']);
    assert.equal(await table.locator('tbody tr:not(.pad)').count(), rows.length);
    await site.page.reload();
    await site.settled();
    assert.equal(await field(site).inputValue(), 'zlib +mpi');
    assert.equal(await table.locator('tbody tr:not(.pad)').count(), rows.length);
    assert.equal(await site.isSidewaysScrollable(), false);
  },

  'The page of all that matches has a version of any package, and tells what is near': async (site, { about, program }) => {
    const search = (text) => site.go(`#/search?q=${encodeURIComponent(text)}`);
    await search('1.10');
    const rows = program('specs', '@1.10', '--at', about.at);
    assert.equal(await site.page.locator('.panel h2').first().textContent(), `${rows.length} builds`);
    await search('zlbi');
    assert.match(await site.text('main .panel'), /^Nothing matches\. Nearest: zlib$/);
    await site.page.locator('main .panel a').click();
    await site.arrived('#/package/');
    await search('zlib@9');
    assert.match(await site.text('main'), /No build matches.*The nearest builds, and what differs.*version: 9 -> /s);
    await search('zlbi@1');
    assert.match(await site.text('main .error'), /^no package 'zlbi'; did you mean 'zlib'\?$/);
    await search('');
    assert.ok(await site.page.locator('main .names a').count() > 5);
  },

  'Nothing matches is said, with the nearest': async (site) => {
    await type(site, 'zlbi');
    await comes(group(site, 'Nothing matches. Nearest').getByRole('option', { name: 'zlib' }));
    await type(site, 'qqqqqqqqqqq');
    await site.page.waitForFunction(() => document.getElementById('found-note').textContent === 'Nothing matches.');
  },
};

const seed = Number(process.env.CACHELEDGER_SEED ?? 20250310);
const each = 100;   // random specs

async function compareRandom(site, { path: program, db }, at) {
  const rows = (sql) => JSON.parse(execFileSync(program, ['--db', db, 'sql', sql, '--format', 'json'], { maxBuffer: 1 << 30 }));
  const made = randomSpecs(each, seed, rows(`SELECT * FROM specs WHERE snapshot = '${at}' ORDER BY package, hash`),
    rows('SELECT DISTINCT dependency, deptypes, virtuals FROM dependencies ORDER BY 1, 2, 3'));
  console.log(`random specs of ${at}: seed ${seed}`);
  const counts = await compareSpecs(site, program, db, at, made);
  assert.ok(counts.builds > each / 5 && counts.none > each / 10, JSON.stringify(counts));
}

export const spec_tests = {
  'A spec finds the builds that the program finds: an index with dependencies': {
    make(run, folder) {
      const file = path.join(folder, 'index.json');
      writeSpecIndex(file);
      run('ingest', `e4s=${file}`, '--tag', 'specs', '--taken-at', '2025-03-01');
    },
    async look(site, about, asked) {
      const counts = await compareSpecs(site, asked.path, asked.db, about.at, specs);
      assert.ok(specs.length > 250 && counts.builds > 150 && counts.none > 40 && counts.errors > 60, JSON.stringify(counts));
      await compareRandom(site, asked, about.at);
    },
  },

  'A spec finds the builds that the program finds: pages': {
    make(run, folder) {
      writeHostilePages(folder);
      run('ingest', folder);
    },
    async look(site, about, asked) {
      const counts = await compareSpecs(site, asked.path, asked.db, about.at, page_specs);
      assert.ok(counts.builds > 35 && counts.none > 10, JSON.stringify(counts));
      await compareRandom(site, asked, about.at);
      await compareSpecs(site, asked.path, asked.db, about.from, page_specs.slice(0, 10));
    },
  },
};
