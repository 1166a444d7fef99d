// The overview and the drift: the sentence first, one pair, one series, and where numbers lead.
import assert from 'node:assert/strict';
import { writeHostilePages, writeReleasePage } from '../hostile_pages.mjs';

const number = (text) => Number(/[\d,]+/.exec(text)[0].replaceAll(',', ''));
const asked = (name) => encodeURIComponent(name);
const loadedSlices = (site) => site.page.evaluate(() =>
  performance.getEntriesByType('resource').filter((one) => one.name.includes('ledger.')).length);

const lists = ['packages', 'versions', 'targets', 'compilers', 'variants', 'rebuilt', 'copies', 'stacks', 'specs', 'unobserved'];

export const overview_tests = {
  'The overview begins with the sentence of diff, without the ledger': async (site, { about, program }) => {
    const told = program('diff', about.from, about.to);
    assert.equal(await site.text('.sentence'), told.sentence);
    const said = await site.page.locator('.words li').allTextContents();
    const beginning = (remark) => remark.split(' (')[0];   // a command in brackets is a link to a page
    assert.deepEqual(said.map(beginning), told.remarks.map(({ remark }) => beginning(remark)));
    assert.match(await site.text('.words'), /Why builds were rebuilt is not known: package pages do not list dependencies/);
    assert.equal(await loadedSlices(site), 0);
  },

  'The drift begins with the sentence of diff, and each list has its count before it is opened': async (site, { about, program }) => {
    const pairs = [[about.from, about.to], [about.to, about.from]];   // the second is not in the site
    for (const [from, to] of pairs) {
      await site.go(`#/drift?from=${asked(from)}&to=${asked(to)}`);
      assert.equal(await site.text('.sentence'), program('diff', from, to).sentence);
      const counts = await site.page.locator('.lists summary .muted').allTextContents();
      const rows = lists.map((name) => program('report', `drift/${name}`, '--from', from, '--to', to).length);
      assert.deepEqual(counts.map((text) => (text === 'none' ? 0 : number(text))), rows);
    }
  },

  'The header and the drift never say two snapshots, and links keep the pair': async (site, { about }) => {
    const [first, second] = about.snapshots.map(({ name }) => name);
    await site.go(`#/drift?from=${asked(second)}&to=${asked(first)}`);
    const at = site.page.locator('#at');
    assert.equal(await at.inputValue(), first);
    const coverage = await site.page.locator('nav a', { hasText: 'Coverage' }).getAttribute('href');
    await site.go(coverage);
    assert.equal(await at.inputValue(), first);
    await site.go(await site.page.locator('nav a', { hasText: 'Drift' }).getAttribute('href'));
    assert.match(await site.text('.title p'), new RegExp(`from ${second} to ${first}`));
    await at.selectOption(second);
    await site.page.waitForFunction((name) => document.querySelector('.title p').textContent.endsWith(name), second);
    await site.settled();
    assert.match(await site.text('.title p'), new RegExp(`from ${first} to ${second}`));
  },

  'Numbers and bars of the overview lead on': async (site, { program }) => {
    await site.go('#/');
    const [row] = program('report', 'coverage/summary');
    for (const [place, column] of ['packages', null, 'versions', 'stacks', 'targets', 'compilers'].entries()) {
      if (column === null) continue;
      const link = site.page.locator('.tile a').nth(place);
      const shown = number(await link.textContent());
      assert.equal(shown, row[column]);
      await link.click();
      await site.arrived('#/report/coverage');
      assert.match(await site.text('h1'), new RegExp(column.slice(0, -1), 'i'));
      await site.go('#/');
    }
    const links = await site.page.locator('.bars a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    for (const page of ['stack', 'target', 'compiler']) assert.ok(links.some((one) => one.startsWith(`#/${page}/`)), page);
  },
};

/// As ledger_tests of ledgers.mjs.
export const overview_ledgers = {
  'A series is chosen, and all of the overview is of it': {
    make(run, folder) {
      writeHostilePages(folder);
      writeReleasePage(folder);
      run('ingest', folder);
    },
    async look(site, about, { program }) {
      assert.equal(await site.page.locator('#series').inputValue(), 'v0.23.0');
      await site.page.locator('#series').selectOption('develop-*');
      await site.page.waitForFunction(() => document.querySelector('.sentence'));
      await site.settled();
      const at = await site.page.locator('#at').inputValue();
      assert.equal(at, 'develop-2025-03-30');
      const [row] = program('report', 'coverage/summary', '--at', at);
      assert.equal(number(await site.page.locator('.tile dd').nth(1).textContent()), row.specs);
      assert.equal(await site.text('.sentence'), program('diff', 'develop-2025-03-23', at).sentence);
      assert.match(await site.text('main'), /Growth of develop-\*/);
      await site.page.locator('details.numbers summary').first().click();
      await site.table('growth').waitFor();
      assert.deepEqual([...new Set(await site.column('growth', 1))], ['develop-*']);
      // A snapshot of another series brings its series.
      await site.page.locator('#at').selectOption(about.at);
      await site.page.waitForFunction(() => !document.querySelector('.sentence'));
      assert.equal(await site.page.locator('#series').inputValue(), 'v0.23.0');
      assert.doesNotMatch(await site.page.evaluate(() => location.hash), /series/);
      await site.go('#/history');
      await site.page.locator('#series').selectOption({ label: 'all series' });
      await site.page.waitForFunction(() => location.hash.includes('series='));
    },
  },
};
