// Opens a site in Chromium, from the disk, and prints what it measured as JSON: milliseconds, MB, and elements of the document.
//
//   node site_figures.mjs SITE NODE_MODULES CHROMIUM
//
// NODE_MODULES has playwright-core. Each figure is of a fresh browser, as a reader's first visit is.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [site, modules, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(path.resolve(modules, 'run.js'))('playwright-core');
const address = `file://${path.resolve(site, 'index.html')}`;
const args = ['--disable-dev-shm-usage', '--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
const count = "SELECT count(*) FROM specs WHERE snapshot = :at AND package LIKE 'c%'";

/// A page of a browser with a profile of its own, by whose name its processes are found.
async function visit(act) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'cacheledger-bench-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath, args, viewport: { width: 1280, height: 860 } });
  try {
    const page = context.pages()[0] ?? await context.newPage();
    const start = performance.now();
    await page.goto(address);
    return await act(page, start, profile);
  } finally {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

const settled = (page) => page.waitForFunction(() =>
  document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]'), null, { timeout: 120000 });

async function go(page, hash) {
  await page.evaluate((one) => { location.hash = one; }, hash);
  await page.waitForFunction((one) => document.querySelector('main').dataset.page === one, hash);
  await settled(page);
}

async function measureFirstView(page, start) {
  await page.waitForSelector('.tile dd');
  await settled(page);
  const overview = performance.now() - start;
  const first_paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  return { first_paint, overview };
}

/// The first answer of SQL, with loading the ledger, and the longest time in which the page did nothing else meanwhile.
async function measureFirstAnswer(page) {
  await settled(page);
  return page.evaluate(async (sql) => {
    let [first_answer_pause, last] = [0, performance.now()];
    const look = () => {
      first_answer_pause = Math.max(first_answer_pause, performance.now() - last);
      last = performance.now();
    };
    const timer = setInterval(look, 5);
    const start = performance.now();
    await globalThis.cacheledger.sql(sql, { at: document.getElementById('at').value });
    const first_answer = performance.now() - start;
    look();
    clearInterval(timer);
    return { first_answer, first_answer_pause };
  }, count);
}

async function measureHeatMap(page) {
  await settled(page);
  await go(page, '#/matrix');
  return page.evaluate(async () => {
    const heat = document.querySelector('.heat');
    const frames = [];
    let [heat_elements, last] = [0, performance.now()];
    for (let step = 0; step < 200; ++step) {
      heat.scrollTop += 97;
      await new Promise(requestAnimationFrame);
      frames.push(performance.now() - last);
      last = performance.now();
      heat_elements = Math.max(heat_elements, document.querySelectorAll('*').length);
    }
    frames.sort((one, other) => one - other);
    return { heat_elements, frame_median: frames[100], frame_95: frames[190] };
  });
}

/// The most memory that the page's process ever had, in MB: all of it, and without what it shares with other processes (its program).
function memoryOf(profile) {
  const read = (pid, file) => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const MB = (text, key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)[1]) * 1024 / 1e6;
  const found = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      return read(pid, 'cmdline').includes('--type=renderer') && read(pid, 'cmdline').includes(profile) ? [read(pid, 'status')] : [];
    } catch {
      return [];  // it has ended
    }
  });
  return Math.max(...found.map((status) => MB(status, 'VmHWM')));
}

async function measureMemory(page, _, profile) {
  await settled(page);
  await page.evaluate((sql) => globalThis.cacheledger.sql(sql, { at: document.getElementById('at').value }), count);
  const memory_answer = memoryOf(profile);
  for (const route of ['coverage', 'matrix', 'package/cmake', 'drift', 'history', 'findings', 'sql']) await go(page, `#/${route}`);
  return { memory_answer, memory_views: memoryOf(profile) };
}

/// What a reader's first visit loads who opens the page of a package or build by its address: all requests, and the time until it is
/// there. `hash` is the address within the site.
async function measureFirst(hash, name) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'cacheledger-bench-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath, args, viewport: { width: 1280, height: 860 } });
  try {
    const page = context.pages()[0] ?? await context.newPage();
    let bytes = 0;
    page.on('request', (request) => {
      if (request.url().startsWith('file:')) bytes += fs.statSync(fileURLToPath(request.url().replace(/[?#].*/, ''))).size;
    });
    const start = performance.now();
    await page.goto(`${address}${hash}`);
    await settled(page);
    return { [`${name}_time`]: performance.now() - start, [`${name}_bytes`]: bytes / 1e6 };
  } finally {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

/// A package of the snapshot that is shown first with a middling number of builds, and one of its builds.
async function findExample(page) {
  await settled(page);
  return page.evaluate(async () => {
    const { rows } = await globalThis.cacheledger.sql(`SELECT package, min(hash) FROM specs WHERE snapshot = :at
      GROUP BY package ORDER BY count(*), package`, { at: document.getElementById('at').value });
    const [package_name, build] = rows[Math.floor(rows.length / 2)];
    return { package_name, build };
  });
}

const figures = {};
const { package_name, build } = await visit(findExample);
Object.assign(figures, await measureFirst(`#/package/${package_name}`, 'first_package'));
Object.assign(figures, await measureFirst(`#/build/${build}`, 'first_build'));
for (const measure of [measureFirstView, measureFirstAnswer, measureHeatMap, measureMemory]) Object.assign(figures, await visit(measure));
console.log(JSON.stringify(figures));
