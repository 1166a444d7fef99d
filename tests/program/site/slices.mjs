// The ledger is read in slices, those that a question needs.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const is_slice = (url) => /\/data\/ledger\/\d+\/\d+\.[0-9a-f]{16}\.js$/.test(url);

// The rows of a query, as the page has them.
const ask = (site, sql) => site.page.evaluate(async (text) => {
  const { columns, rows } = await globalThis.cacheledger.sql(text, {});
  return { columns, rows };
}, sql);

function watchSlices(site) {
  const asked = [];
  site.page.on('request', (request) => is_slice(request.url()) && asked.push(request.url()));
  return asked;
}

// It has rows before the first page of its table is read, and more than one message of them.
const late_miss = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
  SELECT i, NULL AS hash FROM n UNION ALL SELECT NULL, hash FROM spec UNION ALL SELECT NULL, variants FROM variant_set`;

export const slice_tests = {
  'A question loads the slices that it reads, each once': async (site, { about }) => {
    const asked = watchSlices(site);
    assert.deepEqual((await ask(site, 'SELECT count(*) AS series FROM series')).rows, [[new Set(about.snapshots.map((one) => one.series)).size]]);
    const few = asked.length;
    assert.ok(few > 0 && few < about.ledger.slices, `${few} of ${about.ledger.slices}`);
    assert.deepEqual((await ask(site, 'SELECT count(*) AS series FROM series')).rows.length, 1);
    assert.equal(asked.length, few, 'nothing is loaded again');
    for (const table of ['spec', 'presence', 'look', 'page', 'finding', 'page_presence', 'variant_set_member']) {
      await ask(site, `SELECT sum(length(quote(rowid))) FROM (SELECT row_number() OVER () AS rowid, * FROM ${table})`);
    }
    assert.equal(new Set(asked).size, asked.length, 'no slice is loaded twice');
    assert.ok(asked.length > few, 'scans load more');
  },

  'Rows from before a slice was missing are not there twice': async (site, { program }) => {
    const { rows } = await ask(site, late_miss);
    const expected = program('sql', late_miss).map((row) => Object.values(row));
    const sorted = (list) => list.map((row) => JSON.stringify(row)).sort();
    assert.equal(rows.length, expected.length);
    assert.deepEqual(sorted(rows), sorted(expected));
    assert.deepEqual(rows.slice(0, 5000).map(([number]) => number), Array.from({ length: 5000 }, (_, index) => index + 1));
  },

  'Results of a random order are whole': async (site) => {
    const { rows } = await ask(site, 'SELECT hash FROM spec ORDER BY random()');
    const [[specs]] = (await ask(site, 'SELECT count(*) FROM spec')).rows;
    assert.equal(new Set(rows.map(String)).size, specs);
  },
};

/// Removes the last slice of the site in `folder`; returns its name.
export function removeSlice(folder) {
  const slices = path.join(folder, 'data/ledger/0');
  const [last] = fs.readdirSync(slices).sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  fs.rmSync(path.join(slices, last));
  return last;
}

/// A scan of all pages.
export const missesSlice = (site, name) =>
  assert.rejects(ask(site, 'SELECT sum(pgsize) FROM dbstat'), new RegExp(`data/ledger/0/${name} can't be loaded`));
