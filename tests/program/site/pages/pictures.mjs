// Pictures of reports: each says the numbers of the program's rows, and its files have them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { data } from '../browser.mjs';

const shown = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

// What the picture of a report says to those who can't see it.
async function wordsOf(site, report) {
  const pictures = site.page.locator(`[data-report="${report}"] .picture`);
  await pictures.first().waitFor();
  return (await pictures.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).join('\n');
}

async function saved(site, button) {
  const [download] = await Promise.all([site.page.waitForEvent('download'), button.click()]);
  return fs.readFileSync(await download.path(), 'utf8');
}

const hasBars = (words, rows, label, text) => {
  for (const row of rows) assert.ok(words.includes(`${row[label]}: ${text(row)}`), `${row[label]}: ${text(row)} in ${words}`);
};

const bytes = (value) => {
  const power = Math.min(Math.floor(Math.log10(value) / 3), 5);
  return `${shown.format(Math.round(value / 10 ** (3 * power - 1)) / 10)} ${['B', 'kB', 'MB', 'GB'][power]}`;
};

/// Two moments of a mirror: sizes and dependencies are known.
export function makeMirrors(run) {
  run('ingest', data('mirrors/earlier'), '--tag', 'm', '--taken-at', '2025-03-01');
  run('ingest', data('mirrors/later'), '--tag', 'm', '--taken-at', '2025-04-01');
}

export const mirror_pictures = {
  'Sizes, what rebuilds cost, and the graph of reasons are drawn as the program counts them': {
    make: makeMirrors,
    async look(site, about, { report }) {
      await site.go('#/sizes');
      hasBars(await wordsOf(site, 'sizes/packages'), report('sizes/packages'), 'package', (row) => bytes(row.bytes));
      hasBars(await wordsOf(site, 'sizes/stacks'), report('sizes/stacks'), 'stack', (row) => bytes(row.bytes));
      hasBars(await wordsOf(site, 'sizes/rebuilt'), report('sizes/rebuilt'), 'package', (row) => bytes(row.added_bytes));
      await site.go('#/report/drift%2Fwhy-graph');
      const rows = report('drift/why-graph');
      assert.ok(rows.length > 2);
      const graph = site.page.locator('[data-report="drift/why-graph"] .picture');
      await graph.locator('svg').waitFor();
      const texts = await graph.locator('text').allTextContents();
      for (const row of rows) assert.ok(texts.includes(`${row.package} ${row.specs}`), row.package);
      assert.equal(await graph.locator('path').count(), rows.filter((row) => row.dependency !== null).length);
      assert.equal(await graph.getAttribute('tabindex'), '0');
      const words = await wordsOf(site, 'drift/why-graph');
      for (const row of rows) assert.ok(words.includes(`${row.package} ${row.specs}`), words);
    },
  },
};

export const page_pictures = {
  'Pictures over time have the rows of the program below them': {
    make(run) {
      run('ingest', data('pages/earlier'), '--taken-at', '2025-02-10');
      run('ingest', data('pages/later'), '--taken-at', '2025-03-10');
      run('ingest', data('pages/earlier'), '--taken-at', '2025-04-10');
    },
    async look(site, about, { report }) {
      await site.go('#/history');
      for (const name of ['history/causes', 'history/compilers', 'history/rebuilds', 'history/lifetime']) {
        const figure = site.page.locator(`[data-report="${name}"]`);
        await figure.locator('svg').first().waitFor();
        await figure.getByText('Numbers').click();
        const rows = report(name);
        await figure.locator('[data-table]').waitFor();
        assert.match(await figure.locator('.count').textContent(), new RegExp(`^${rows.length} rows?$`), name);
        const csv = await saved(site, figure.getByRole('button', { name: /as CSV$/ }));
        assert.deepEqual(csv.trim().split('\r\n'), [Object.keys(rows[0]), ...rows.map(Object.values)]
          .map((row) => row.map((value) => value ?? '').join(',')), name);
      }
      hasBars(await wordsOf(site, 'history/rebuilds'), report('history/rebuilds'), 'package', (row) => shown.format(row.specs));
      const causes = report('history/causes');
      const newest = causes.at(-1).snapshot;
      assert.ok(causes.some((row) => row.snapshot !== newest), 'the site has all pairs, not only the one that it shows first');
      assert.deepEqual(causes.filter((row) => row.snapshot === newest).map(({ cause, added, removed }) => ({ cause, added, removed })),
        report('drift/summary').filter((row) => row.added + row.removed > 0), 'the causes are those of drift/summary');
      const rects = await site.page.locator('[data-report="history/causes"] svg rect').count();
      assert.equal(rects, causes.flatMap((row) => [row.added, row.removed]).filter((value) => value > 0).length);
    },
  },

  'A picture is saved as SVG that stands alone': {
    make(run) {
      run('ingest', data('pages/earlier'), '--taken-at', '2025-02-10');
      run('ingest', data('pages/later'), '--taken-at', '2025-03-10');
    },
    async look(site) {
      await site.go('#/report/coverage%2Fcompilers');
      const figure = site.page.locator('[data-report="coverage/compilers"]');
      await figure.locator('svg').first().waitFor();
      const svg = await saved(site, figure.getByRole('button', { name: /as SVG$/ }));
      assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      assert.match(svg, /<title>Builds of each compiler<\/title><desc>[^<]*gcc/);
      assert.doesNotMatch(svg, /var\(--|<style|<script|class=/);
      const text = await site.page.evaluate((one) => new DOMParser().parseFromString(one, 'image/svg+xml').documentElement.textContent, svg);
      for (const label of await figure.locator('svg text').allTextContents()) assert.ok(text.includes(label), label);
    },
  },

  'A cut axis says where it begins, and churn has its unit': {
    make(run) {
      run('ingest', data('pages/later'), '--taken-at', '2025-02-10');
      run('ingest', data('pages/later'), '--taken-at', '2025-03-10');
      run('ingest', data('pages/earlier'), '--taken-at', '2025-04-10', '--partial');
    },
    async look(site, about, { report }) {
      const specs = report('history/growth').map((row) => row.specs);
      await site.go('#/history');
      const text = await site.text('.key');
      assert.equal(/The axis begins at [\d,]+, not at 0\./.test(text), Math.min(...specs) * 2 >= Math.max(...specs), text);
      const headings = await site.table('growth').locator('th').allTextContents();
      assert.ok(headings.includes('churn %'), headings.join());
    },
  },
};
