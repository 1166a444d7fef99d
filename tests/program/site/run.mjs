// Tests a site in a real browser, at desktop and phone width, from the disk and from a server.
//
//   node tests/program/site/run.mjs --program cacheledger --modules NODE_MODULES [--chromium FILE] [--site FOLDER --db FILE]
//
// Without --site the program makes one of hostile pages. NODE_MODULES has playwright-core. Exit code 77: there is no browser,
// and CACHELEDGER_BROWSER is not "required".
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { fileAddress, launch, SitePage } from './browser.mjs';
import { writeHostilePages } from './hostile_pages.mjs';
import { ledger_tests } from './ledgers.mjs';
import { page_tests } from './pages.mjs';
import { compareReports } from './reports.mjs';
import { serve } from './server.mjs';
import { missesSlice, removeSlice, slice_tests } from './slices.mjs';
import assert from 'node:assert/strict';
import { compilerKey, versionKey } from '../../../reports/web/table/version_key.js';

const text = { type: 'string' };
const { values } = parseArgs({ options: { program: text, modules: text, chromium: text, site: text, db: text } });
const chromium_path = values.chromium ?? '/usr/bin/chromium';
if (!fs.existsSync(chromium_path)) {
  console.log(`no browser: ${chromium_path}`);
  process.exit(process.env.CACHELEDGER_BROWSER === 'required' ? 1 : 77);
}
const { chromium } = createRequire(path.resolve(values.modules, 'run.js'))('playwright-core');

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
  const file = fs.readFileSync(path.join(folder_of_site, 'data', `${key}.js`), 'utf8');
  const value = JSON.parse(file.slice(file.indexOf('=', file.indexOf('["')) + 1, file.lastIndexOf(';')));
  return typeof value === 'string' ? JSON.parse(gunzipSync(Buffer.from(value, 'base64'))) : value;
}

const known = {
  about: dataOf('about'), reports: dataOf('reports').reports,
  program: (...args) => JSON.parse(run(...args, '--format', 'json')),
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

const addresses = { 'from the disk': () => fileAddress(site), 'from a server': () => server.address };
const onPage = (address, viewport, act) => async () => {
  const page = await SitePage.open(browser, address(), viewport);
  try {
    await act(page, known);
    assert.deepEqual(page.offences, []);
  } finally {
    await page.close();
  }
};

for (const [where, address] of Object.entries(addresses)) {
  for (const [size, viewport] of Object.entries(viewports)) {
    describe(`${where}, ${size}`, () => {
      for (const [sentence, act] of Object.entries(page_tests)) test(sentence, onPage(address, viewport, act));
    });
  }
}
Object.entries(ledger_tests).forEach(([sentence, { make, look }], number) => {
  const [own, made] = [path.join(folder, `${number}.db`), path.join(folder, `site-${number}`)];
  const pages = path.join(folder, `pages-${number}`);
  test(sentence, onPage(() => {
    fs.mkdirSync(pages);
    make((...args) => runWith(own, ...args), pages);
    runWith(own, 'site', made);
    return fileAddress(made);
  }, viewports.desktop, (page) => look(page, dataOf('about', made))));
});

for (const [sentence, act] of Object.entries(slice_tests)) test(sentence, onPage(addresses['from the disk'], viewports.desktop, act));

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

test('Versions and compilers have the sort keys of the program', () => {
  for (const [column, key] of [['version', versionKey], ['compiler', compilerKey]]) {
    const rows = known.program('sql', `SELECT DISTINCT ${column} AS text, ${column}_key AS key FROM looks WHERE ${column} IS NOT NULL`);
    assert.deepEqual(rows.map((row) => key(row.text)), rows.map((row) => row.key));
  }
});

test('Every canned report in the page gives the rows of the program', onPage(addresses['from the disk'], viewports.desktop, compareReports));
