// Tests a site in a real browser, at desktop and phone width, from the disk and from a server.
//
//   node tests/program/site/run.mjs --program cacheledger --modules NODE_MODULES [--chromium FILE] [--firefox FILE]
//     [--site FOLDER --db FILE]
//
// Without --site the program makes one of hostile pages. NODE_MODULES has playwright-core, puppeteer-core and axe-core. Exit code 77: there is
// no Chromium, and CACHELEDGER_BROWSER is not "required". Without Firefox its tests are skipped, or fail likewise.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseArgs } from 'node:util';
import { axe_ledgers, axe_tests } from './everyone/axe.mjs';
import { gunzipSync } from 'node:zlib';
import { fileAddress, launch, SitePage } from './browser.mjs';
import { build_tests, mirrorsAreKnown } from './pages/build_pages.mjs';
import { everyone_tests } from './everyone/readers.mjs';
import { firefox_tests, launchFirefox, openIn } from './everyone/firefox.mjs';
import { writeHostilePages } from './hostile_pages.mjs';
import { ledger_tests } from './pages/ledgers.mjs';
import { overview_ledgers, overview_tests } from './pages/overview_pages.mjs';
import { pagesOf } from './everyone/page_list.mjs';
import { page_tests } from './pages/pages.mjs';
import { paper_tests } from './everyone/paper.mjs';
import { readPlain } from './everyone/plain.mjs';
import { mirror_pictures, page_pictures } from './pages/pictures.mjs';
import { compareReports } from './pages/reports.mjs';
import { search_tests, spec_tests } from './pages/search.mjs';
import { serve } from './server.mjs';
import { word_ledgers } from './pages/words.mjs';
import { anew_tests } from './made_anew.mjs';
import { missesSlice, removeSlice, slice_tests } from './slices.mjs';
import assert from 'node:assert/strict';
import { compilerKey, versionKey } from '../../../reports/web/table/order.js';

const text = { type: 'string' };
const { values } = parseArgs({ options: { program: text, modules: text, chromium: text, firefox: text, site: text, db: text } });
const chromium_path = values.chromium ?? '/usr/bin/chromium';
if (!fs.existsSync(chromium_path)) {
  console.log(`no browser: ${chromium_path}`);
  process.exit(process.env.CACHELEDGER_BROWSER === 'required' ? 1 : 77);
}
const firefox_path = values.firefox ?? '/usr/bin/firefox-esr';
const fromModules = createRequire(path.resolve(values.modules, 'run.js'));
const { chromium } = fromModules('playwright-core');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cacheledger-site-'));
const db = values.db ?? path.join(folder, 'ledger.db');
const site = path.resolve(values.site ?? path.join(folder, 'site'));
const runWith = (ledger, ...args) =>
  execFileSync(values.program, ['--db', ledger, ...args], { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'inherit'] });
const run = (...args) => runWith(db, ...args);

if (!values.site) {
  writeHostilePages(path.join(folder, 'pages'));
  run('ingest', path.join(folder, 'pages'));
  run('site', site);
}

function dataOf(key, folder_of_site = site) {
  const data = path.join(folder_of_site, 'data');
  const name = fs.readdirSync(data).find((one) => one.startsWith(`${key}.`) && one.endsWith('.js'));
  const file = fs.readFileSync(path.join(data, name), 'utf8');
  const value = JSON.parse(file.slice(file.indexOf('=', file.indexOf('["')) + 1, file.lastIndexOf(';')));
  return typeof value === 'string' ? JSON.parse(gunzipSync(Buffer.from(value, 'base64'))) : value;
}

// What the program prints as JSON.
const programOver = (ledger) => (...args) => JSON.parse(runWith(ledger, ...args, '--format', 'json'));

const known = {
  about: dataOf('about'), reports: dataOf('reports').reports,
  program: programOver(db),
};
const viewports = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };

let browser;
let server;
before(async () => {
  browser = await launch(chromium, chromium_path);
  server = await serve(site);
});
after(async () => {
  await browser.close();
  server.close();
  fs.rmSync(folder, { recursive: true });
});

const addresses = { disk: () => fileAddress(site), server: () => server.address };
const tests_by_server = ['The overview tells what the program tells', 'A package is found by a part of its name, with the keyboard',
  'A list of the drift is opened', 'SQL is answered, with its time, as CSV and as a link', 'The policy lets nothing out'];
const onPage = (address, viewport, act) => async () => {
  const page = await SitePage.open(browser, address(), viewport);
  try {
    await act(page, known);
    assert.deepEqual(page.offences, []);
  } finally {
    await page.close();
  }
};

const reader_tests = { ...page_tests, ...search_tests, ...overview_tests };
for (const [size, viewport] of Object.entries(viewports)) {
  describe(`from the disk, ${size}`, () => {
    for (const [sentence, act] of Object.entries(reader_tests)) test(sentence, onPage(addresses.disk, viewport, act));
  });
}
// A server differs in how files are loaded: these load each kind of them.
describe('from a server', () => {
  for (const sentence of tests_by_server) test(sentence, onPage(addresses.server, viewports.desktop, reader_tests[sentence]));
});
// Tests with the same `make` look at one site.
const made_sites = new Map();

function madeSite(make, options) {
  if (made_sites.has(make)) return made_sites.get(make);
  const number = made_sites.size;
  const [own, made, pages] = [`${number}.db`, `site-${number}`, `pages-${number}`].map((name) => path.join(folder, name));
  fs.mkdirSync(pages);
  make((...args) => runWith(own, ...args), pages);
  runWith(own, 'site', made, ...options);
  made_sites.set(make, { own, made });
  return made_sites.get(make);
}

const sites = { ...ledger_tests, ...build_tests, ...spec_tests, ...overview_ledgers, ...word_ledgers, ...mirror_pictures,
  ...page_pictures, ...axe_ledgers(fromModules('axe-core').source) };
for (const [sentence, { make, look, options = [] }] of Object.entries(sites)) {
  test(sentence, onPage(() => fileAddress(madeSite(make, options).made), viewports.desktop, (page) => {
    const { own, made } = madeSite(make, options);
    return look(page, dataOf('about', made), {
      program: programOver(own), report: (name) => programOver(own)('report', name), path: values.program, db: own,
      notes: (...args) => spawnSync(values.program, ['--db', own, ...args], { encoding: 'utf8' }).stderr,
    });
  }));
}

test('The mirror of a snapshot is told where it is known', mirrorsAreKnown);

describe('for everyone', () => {
  const tests = { ...axe_tests(fromModules('axe-core').source), ...everyone_tests };
  for (const [size, viewport] of Object.entries(viewports)) {
    describe(size, () => {
      for (const [sentence, act] of Object.entries(tests)) test(sentence, onPage(addresses.disk, viewport, act));
    });
  }
  // A sheet is as wide from everywhere.
  for (const [sentence, act] of Object.entries(paper_tests)) test(sentence, onPage(addresses.disk, viewports.desktop, act));
  test('Without JavaScript the main numbers are there', () => readPlain(browser, fileAddress(site), known));
});

const no_firefox = !fs.existsSync(firefox_path) && process.env.CACHELEDGER_BROWSER !== 'required' && `no browser: ${firefox_path}`;
describe('in Firefox', { skip: no_firefox }, () => {
  let firefox;
  before(async () => { firefox = await launchFirefox(fromModules('puppeteer-core'), firefox_path); });
  after(() => firefox?.close());
  for (const [sentence, act] of Object.entries(firefox_tests)) {
    test(sentence, async () => {
      const { page, offences } = await openIn(firefox, fileAddress(site));
      await act(page, { ...known, pages: pagesOf(known) });
      assert.deepEqual(offences, []);
      await page.evaluate(() => console.error('heard'));
      await page.waitForFunction(() => true);
      assert.deepEqual(offences, ['console: heard'], 'the console is heard');
      await page.close();
    });
  }
});

for (const [sentence, act] of Object.entries(slice_tests)) test(sentence, onPage(addresses.disk, viewports.desktop, act));

test('A slice that is missing is named', async () => {
  const broken = path.join(folder, 'broken');
  fs.cpSync(site, broken, { recursive: true });
  const missing = removeSlice(broken);
  const page = await SitePage.open(browser, fileAddress(broken), viewports.desktop);
  try {
    await missesSlice(page, missing);
  } finally {
    await page.close();
  }
});

for (const [sentence, act] of Object.entries(anew_tests)) {
  test(sentence, () => {
    const own = fs.mkdtempSync(path.join(folder, 'anew-'));
    return act({ browser, folder: own, run: (...args) => runWith(path.join(own, 'ledger.db'), ...args) });
  });
}

test('Versions and compilers have the sort keys of the program', () => {
  for (const [column, key] of [['version', versionKey], ['compiler', compilerKey]]) {
    const rows = known.program('sql', `SELECT DISTINCT ${column} AS text, ${column}_key AS key FROM looks WHERE ${column} IS NOT NULL`);
    assert.deepEqual(rows.map((row) => key(row.text)), rows.map((row) => row.key));
  }
});

test('Every canned report in the page gives the rows of the program', onPage(addresses.disk, viewports.desktop, compareReports));
