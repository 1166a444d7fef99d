// A site that is made anew while a reader has it, and one that is not whole: what the reader sees is of one ledger, or a sentence.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileAddress, SitePage } from './browser.mjs';
import { writeManyPages } from './hostile_pages.mjs';
import { serve } from './server.mjs';

const packages = 40;
const builds = 20;     // of each package in each snapshot
const desktop = { width: 1280, height: 860 };
const sentence = /^data\/ledger\/0\/\d+\.[0-9a-f]{16}\.js can't be loaded: the site was made anew meanwhile, or it is not whole\. Load the page again\.$/;

// What the page says of the first packages: the number of the builds of each, or why it has none.
const countsOf = (page, number = packages) => page.evaluate(async (most) => {
  const said = [];
  for (let place = 0; place < most; ++place) {
    const sql = `SELECT count(*) FROM specs WHERE package = 'p${place}'`;
    said.push(await globalThis.cacheledger.sql(sql).then(({ rows }) => rows[0][0], (error) => error.message));
  }
  return said;
}, number);

const isWhole = (counts, snapshots) => assert.deepEqual([...new Set(counts)], [snapshots * builds]);

function makeOlder(folder, days) {
  const time = Date.now() / 1000 - days * 86400;
  for (const name of fs.readdirSync(folder, { recursive: true })) fs.utimesSync(path.join(folder, name), time, time);
}

/// `run(...)` is the program over a ledger of its own. `headers` are the server's; `days` is how old the first site is; `kept`: the page is
/// gone to again, and not loaded again.
async function madeAnew({ browser, folder, run }, { headers = {}, days = 0, kept }) {
  const site = path.join(folder, 'site');
  const ingest = (state) => {
    writeManyPages(path.join(folder, `${state}`), packages, builds, state);
    run('ingest', path.join(folder, `${state}`), '--taken-at', `2025-01-0${state + 1}`);
  };
  ingest(0);
  ingest(1);
  run('site', site);
  makeOlder(site, days);
  const server = await serve(site, headers);
  const { page } = await SitePage.open(browser, server.address, desktop);
  isWhole(await countsOf(page, 1), 2);
  ingest(2);
  run('site', site);
  if (kept) {
    await page.goto('about:blank');
    await page.goto(`${server.address}index.html`);
    await page.waitForSelector('main h1');
  }
  const told = await countsOf(page);
  isWhole(told.filter((one) => typeof one === 'number'), 2);
  const problems = told.filter((one) => typeof one === 'string');
  assert.ok(problems.length > 0, 'the older site is not whole any more');
  for (const problem of problems) assert.match(problem, sentence);
  await page.reload();
  await page.waitForSelector('main h1');
  isWhole(await countsOf(page), 3);
  await page.context().close();
  server.close();
}

export const anew_tests = {
  'A tab that is open while the site is made anew never mixes two ledgers': (surroundings) => madeAnew(surroundings, { kept: false }),
  'A browser that keeps files for their max-age never mixes two ledgers': (surroundings) =>
    madeAnew(surroundings, { headers: { 'Cache-Control': 'max-age=600' }, kept: true }),
  'A browser that keeps files as long as it thinks never mixes two ledgers': (surroundings) => madeAnew(surroundings, { days: 30, kept: true }),

  'A file of data that is missing or cut is told in a sentence': async ({ browser, folder, run }) => {
    const site = path.join(folder, 'site');
    writeManyPages(path.join(folder, 'pages'), 2, 2, 0);
    run('ingest', path.join(folder, 'pages'), '--taken-at', '2025-01-01');
    run('site', site);
    const files = fs.readdirSync(path.join(site, 'data')).filter((name) => /^(about|reports|results\.overview|ledger|sqlite)\..*js$/.test(name));
    assert.equal(files.length, 5);
    for (const name of files) {
      const file = path.join(site, 'data', name);
      const whole = fs.readFileSync(file);
      for (const spoil of [() => fs.rmSync(file), () => fs.truncateSync(file, 60)]) {
        spoil();
        const page = await browser.newPage();
        await page.goto(`${fileAddress(site)}index.html#/package/p1`);
        if (name.startsWith('results')) await page.evaluate(() => { location.hash = '#/'; });
        const told = page.locator('main .error').first();
        await told.waitFor();
        assert.ok((await told.textContent()).startsWith(`data/${name} can't be loaded: the site was made anew`), name);
        await page.close();
        fs.writeFileSync(file, whole);
      }
    }
  },

  'A policy of the server that stops the worker is named': async ({ browser, folder, run }) => {
    const site = path.join(folder, 'site');
    writeManyPages(path.join(folder, 'pages'), 1, 1, 0);
    run('ingest', path.join(folder, 'pages'), '--taken-at', '2025-01-01');
    run('site', site);
    for (const policy of ["worker-src 'self'", "script-src 'self' blob:"]) {
      const server = await serve(site, { 'Content-Security-Policy': policy });
      const { page } = await SitePage.open(browser, server.address, desktop, { hash: '#/package/p0' });
      assert.match(await page.locator('main .error').first().textContent(), /^The Content-Security-Policy of the server keeps the pages from reading/);
      await page.context().close();
      server.close();
    }
  },
};
