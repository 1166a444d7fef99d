// The site in Firefox as the distribution has it. Playwright drives its own build of Firefox only; puppeteer-core drives any, by WebDriver BiDi.
import assert from 'node:assert/strict';
import { hostile_name } from '../hostile_pages.mjs';

export const launchFirefox = (puppeteer, executablePath) => puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: 120000 });

/// A page of the site, and what it said that it must not say.
export async function openIn(browser, address) {
  const page = await browser.newPage();
  const offences = [];
  page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warn', 'assert'].includes(message.type())) offences.push(`console: ${message.text()}`);
  });
  await page.setViewport({ width: 1280, height: 860 });
  await page.goto(`${address}index.html`);
  await settled(page);
  return { page, offences };
}

const settled = (page) => page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]'));

async function go(page, hash) {
  await page.evaluate((one) => { location.hash = one; }, hash);
  await page.waitForFunction((one) => decodeURI(document.querySelector('main').dataset.page) === decodeURI(one), {}, hash);
  await settled(page);
}

const texts = (page, selector) => page.$$eval(selector, (list) => list.map((one) => one.textContent));
const number = (text) => Number(/^[\d,]+/.exec(text)[0].replaceAll(',', ''));

/// Each is a sentence and what it does with a page of puppeteer.
export const firefox_tests = {
  'Firefox shows the numbers of the program': async (page, { program }) => {
    const [row] = program('report', 'coverage/summary');
    const shown = (await texts(page, '.tile dd')).map(number);
    for (const column of ['packages', 'specs', 'versions', 'stacks', 'targets', 'compilers']) assert.ok(shown.includes(row[column]), column);
    assert.ok(await page.$('.picture svg'), 'a chart is drawn');
  },

  'Firefox shows every page': async (page, { about, pages }) => {
    const there = await page.evaluate(() => globalThis.cacheledger.pages);
    for (const { name, hash } of pages.filter((one) => there.includes(one.name))) {
      await go(page, hash);
      assert.deepEqual(await texts(page, 'main .error'), [], hash);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${name} of ${about.title}`);
    }
  },

  'Firefox answers SQL': async (page, { about, program }) => {
    const sql = 'SELECT package, count(*) AS specs FROM specs WHERE snapshot = :at GROUP BY package ORDER BY 1';
    await go(page, `#/sql?query=${encodeURIComponent(sql)}`);
    await page.waitForSelector('#timing');
    const rows = program('report', 'coverage/packages', '--at', about.at);
    const shown = (await texts(page, '[data-table=answer] tbody tr:not(.pad) td:nth-child(2)')).map(number);
    assert.ok(shown.length > 0);
    assert.deepEqual(shown, rows.map((row) => row.specs).slice(0, shown.length));
  },

  'Firefox shows a package': async (page, { program }) => {
    await go(page, `#/package/${encodeURIComponent(hostile_name)}`);
    const [row] = program('report', 'coverage/summary', '--package', hostile_name.replace(/[[*?]/g, '[$&]'));
    assert.match((await texts(page, '[data-table=specs] .count'))[0], new RegExp(`^${row.specs} row`));
    assert.equal(await page.evaluate(() => globalThis.taken), undefined);
  },

  'Firefox finds a package with the keyboard': async (page, { about }) => {
    const name = about.packages.at(-1);
    await page.type('#find', name);
    await page.waitForSelector('[role=option]');
    await page.keyboard.press('Enter');
    await page.waitForFunction((one) => document.querySelector('h1').textContent === one, {}, name);
  },

  'Firefox prints a table whole': async (page) => {
    await go(page, '#/report/coverage%2Fpackages');
    const printed = await page.pdf();
    assert.equal(Buffer.from(printed.slice(0, 5)).toString(), '%PDF-');
  },
};
