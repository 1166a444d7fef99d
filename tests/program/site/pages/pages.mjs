// What a reader does in the pages.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { visible } from '../../../../reports/web/dom/element.js';
import { hostile_name, shown_stack } from '../hostile_pages.mjs';

const package_hash = (name) => `#/package/${encodeURIComponent(name)}`;

/// Each is a sentence and what it does with a SitePage; `known` has {about, program(...)}.
export const page_tests = {
  'The overview tells what the program tells': async (site, { program }) => {
    const [row] = program('report', 'coverage/summary');
    const tiles = await site.page.locator('.tile dd').allTextContents();
    const shown = tiles.map((text) => Number(/^[\d,]+/.exec(text)[0].replaceAll(',', '')));
    assert.deepEqual(shown, ['packages', 'specs', 'versions', 'stacks', 'targets', 'compilers'].map((name) => row[name]));
    assert.equal(await site.page.evaluate(() => performance.getEntriesByType('resource').filter((one) => one.name.includes('ledger.')).length), 0);
  },

  'No page scrolls sideways': async (site, { about }) => {
    const drift = about.from ? ['#/drift'] : [];
    for (const hash of ['#/', '#/coverage', '#/matrix', ...drift, '#/history', '#/sizes', '#/findings', '#/reports', '#/sql',
      package_hash(about.packages[0]), '#/report/coverage%2Fgaps']) {
      await site.go(hash);
      assert.equal(await site.isSidewaysScrollable(), false, hash);
      assert.equal(await site.page.locator('main .error').count(), 0, hash);
    }
  },

  'The heat map is searched, and a heading sorts it': async (site, { about, program }) => {
    await site.go('#/matrix');
    const rows = program('report', 'coverage/matrix');
    const name = about.packages.at(-1);
    await site.page.getByRole('searchbox', { name: 'Search packages' }).fill(name);
    const found = await site.page.locator('.heat-name').allTextContents();
    assert.deepEqual(found.sort(), rows.map((row) => row.package).filter((one) => one.toLowerCase().includes(name.toLowerCase())).sort());
    await site.page.getByRole('searchbox', { name: 'Search packages' }).fill('');
    const heading = site.page.locator('.heat-column').first();
    await heading.locator('button').click();
    assert.equal(await site.page.locator('.heat-column').first().getAttribute('aria-sort'), 'descending');
    const title = await heading.textContent();
    const stack = Object.keys(rows[0]).find((name) => visible(name) === title);
    const most = Math.max(...rows.map((row) => row[stack]));
    const first = await site.page.locator('.heat-row').filter({ has: site.page.locator('xpath=self::*[@aria-rowindex="2"]') }).or(
      site.page.locator('.heat-row[aria-rowindex="2"]')).first().locator('[aria-colindex="2"]').textContent();
    assert.equal(Number(first.replaceAll(',', '') || 0), most);
    await site.page.reload();
    await site.settled();
    assert.equal(await site.page.locator('.heat-column').first().getAttribute('aria-sort'), 'descending', 'a link keeps the order');
  },

  'A cell of the heat map is reached with the keyboard and leads to its specs': async (site) => {
    await site.go('#/matrix');
    await site.page.locator('.heat-corner button').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'Home']) await site.page.keyboard.press(key);
    assert.equal(await site.page.evaluate(() => document.activeElement.closest('.heat-name') !== null), true);
    const name = await site.page.evaluate(() => document.activeElement.textContent);
    await site.page.keyboard.press('Enter');
    await site.arrived('#/package/');
    assert.equal(await site.text('h1'), name);
  },

  'A package is found by a part of its name, with the keyboard': async (site, { about }) => {
    const name = about.packages.at(-1);
    await site.page.locator('#find').fill(name.slice(0, -1));
    await site.page.keyboard.press('Enter');
    await site.arrived('#/package/');
    assert.ok(about.packages.includes(await site.text('h1')));
  },

  'A table is sorted, searched and filtered': async (site, { program }) => {
    const rows = program('report', 'coverage/packages');
    await site.go('#/report/coverage%2Fpackages');
    const table = site.table('coverage-packages');
    await table.getByRole('button', { name: 'specs', exact: true }).click();
    const specs = (await site.column('coverage-packages', 3)).map((text) => Number(text.replaceAll(',', '')));
    assert.deepEqual(specs, rows.map((row) => row.specs).sort((a, b) => b - a).slice(0, specs.length));
    const cell = table.locator('tbody tr:not(.pad) td:nth-child(3)').first();
    const value = await cell.textContent();
    await cell.click();
    const kept = rows.filter((row) => row.specs === Number(value.replaceAll(',', '')));
    assert.match(await table.locator('.count').textContent(), kept.length === rows.length ? /row/ : new RegExp(`^${kept.length} of`));
    assert.match(decodeURIComponent(await site.page.evaluate(() => location.hash)), /\["specs","\d+"\]/);
    await table.locator('.filters .chip').click();
    assert.match(await table.locator('.count').textContent(), new RegExp(`^${rows.length.toLocaleString('en')} row`));
  },

  'Versions are sorted as Spack sorts them': async (site) => {
    await site.go(package_hash(hostile_name));
    await site.table('specs').getByRole('button', { name: 'version' }).click();
    const versions = await site.column('specs', 2);
    assert.deepEqual([versions[0], versions.at(-1)], ['1.9', '1.10']);
  },

  'A table is read with the keyboard alone': async (site) => {
    await site.go(package_hash(hostile_name));
    await site.table('specs').locator('thead button').first().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Space']) await site.page.keyboard.press(key);
    assert.equal(await site.table('specs').locator('.filters .chip').count(), 1);
  },

  'Tab leads to a table whose focused cell was scrolled away': async (site) => {
    // One narrow column: a table on a phone, too.
    await site.ask('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) SELECT i FROM n');
    await site.table('answer').locator('thead button').first().focus();
    await site.page.keyboard.press('ArrowDown');
    await site.page.locator('.scroll').evaluate((place) => { place.scrollTop = 20000; });
    await site.page.waitForFunction(() => document.querySelector('.scroll td').getBoundingClientRect().height > 10000);
    await site.page.waitForFunction(() => document.querySelectorAll('[data-table=answer] [tabindex="0"]').length === 1, null, { timeout: 5000 });
  },

  'Paper says how many rows it leaves out': async (site) => {
    await site.ask('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) SELECT i FROM n');
    const said = site.page.locator('.cut');
    assert.equal(await said.isVisible(), false);
    await site.page.emulateMedia({ media: 'print' });
    assert.equal(await said.innerText(), 'The first 1,000 of 1,200 rows. CSV has them all.');
    await site.page.waitForFunction(() => document.querySelectorAll('[data-table=answer] tbody tr:not(.pad)').length === 1000);
    await site.page.emulateMedia({ media: 'screen' });
    await site.page.waitForFunction(() => document.querySelectorAll('[data-table=answer] tbody tr').length < 100);
  },

  'What is common is hidden, and columns are chosen': async (site) => {
    await site.go(package_hash(hostile_name));
    const table = site.table('specs');
    await table.getByRole('button', { name: 'Hide common values' }).click();
    assert.equal(await table.getByRole('columnheader', { name: 'os' }).count(), 0);
    assert.match(await table.locator('.filters').textContent(), /os = ubuntu22\.04/);
    await table.locator('.chooser summary').click();
    await table.locator('.choices label', { hasText: 'target' }).click();
    assert.equal(await table.getByRole('columnheader', { name: 'target' }).count(), 0);
  },

  'A hostile name is text, and its page is its own': async (site, { program }) => {
    const [row] = program('report', 'coverage/summary', '--package', hostile_name.replace(/[[*?]/g, '[$&]'));
    await site.go(package_hash(hostile_name));
    assert.equal(await site.text('h1'), hostile_name);
    assert.match(await site.text('.title p'), new RegExp(`${row.specs} builds`));
    const table = site.table('specs');
    assert.match(await table.locator('.count').textContent(), new RegExp(`^${row.specs} row`));
    assert.ok((await table.textContent()).includes(shown_stack));
    await site.go('#/matrix');
    await site.page.locator('.heat-name').getByText(hostile_name, { exact: true }).waitFor();
    assert.equal(await site.page.evaluate(() => globalThis.taken), undefined);
    assert.equal(await site.page.locator('main img, main script').count(), 0);
  },

  'A list of the drift is opened': async (site, { about, program }) => {
    await site.go('#/drift');
    const rows = program('report', 'drift/rebuilt', '--from', about.from, '--to', about.to);
    await site.page.locator('.openable summary', { hasText: 'Rebuilt' }).click();
    await site.settled();
    const text = await site.page.locator('.openable[open]').textContent();
    assert.ok(text.includes(rows.length === 0 ? 'None.' : `${rows.length} row`), text);
    assert.match(await site.text('.causes'), /added.*removed/s);
  },

  'SQL is answered, with its time, as CSV and as a link': async (site, { about, program }) => {
    await site.go('#/sql');
    await site.page.locator('#query').fill('SELECT package, count(*) AS specs FROM specs WHERE snapshot = :at GROUP BY package ORDER BY 1');
    await site.page.locator('#run').click();
    await site.page.waitForSelector('#timing');
    assert.match(await site.text('#timing'), /rows? in \d/);
    const rows = program('report', 'coverage/packages', '--at', about.at);
    const shown = await site.column('answer', 2);
    assert.deepEqual(shown.map((text) => Number(text.replaceAll(',', ''))), rows.map((row) => row.specs).slice(0, shown.length));
    const saved = site.page.waitForEvent('download');
    await site.table('answer').getByRole('button', { name: 'CSV' }).click();
    const csv = fs.readFileSync(await (await saved).path(), 'utf8');
    assert.ok(csv.startsWith('package,specs\r\n'));
    assert.equal(csv.trim().split('\r\n').length, rows.length + 1);
    assert.equal(await site.table('answer').getByRole('button', { name: 'CSV' }).count(), 1, 'nothing is a formula');
    assert.match(await site.page.evaluate(() => location.hash), /query=SELECT/);
  },

  'CSV for spreadsheets has no formulas': async (site) => {
    await site.ask("SELECT '=1+1' AS a, '+mpi' AS b, -1 AS c, 'x' AS d");
    const saved = site.page.waitForEvent('download');
    await site.table('answer').getByRole('button', { name: 'CSV for spreadsheets' }).click();
    assert.equal(fs.readFileSync(await (await saved).path(), 'utf8'), "a,b,c,d\r\n'=1+1,'+mpi,-1,x\r\n");
  },

  'A large value is its size': async (site) => {
    await site.ask("SELECT zeroblob(100000000) AS a, x'00ff' AS b, length(a) AS c FROM (SELECT zeroblob(100000000) AS a)");
    assert.deepEqual((await site.table('answer').locator('tbody tr:not(.pad) td').allTextContents()), ['BLOB of 100,000,000 bytes', '00ff', '100,000,000']);
  },

  'A NUL in SQL is an error, in a link, too': async (site) => {
    await site.page.evaluate(() => { location.hash = '#/sql?query=SELECT%201%00'; });
    await site.page.waitForSelector('.answer .error');
    assert.match(await site.text('.answer .error'), /has a NUL character/);
    await site.ask('SELECT 42 AS answer');
    assert.deepEqual(await site.column('answer'), ['42']);
  },

  'Nothing invisible is shown as it is': async (site) => {
    for (const hash of ['#/', '#/coverage', '#/matrix', '#/drift', package_hash(hostile_name)]) {
      await site.go(hash);
      assert.doesNotMatch(await site.page.evaluate(() => document.body.innerText), /[\u202e\u2028]/, hash);
    }
    await site.ask("SELECT 'a' || char(8238) || 'b' || char(27) || char(8205) AS one, 'é' || char(8205) || 'x' AS two");
    assert.deepEqual(await site.table('answer').locator('tbody tr:not(.pad) td').allTextContents(), ['a\\u{202e}b\\x1b\\u{200d}', 'é\u200dx']);
  },

  'Only names that a spec can hold are searched for': async (site) => {
    const links = async (hash) => {
      await site.go(hash);
      return site.page.locator('.title a, .panel a', { hasText: /^(its builds|Search for it)$/ }).count();
    };
    for (const hash of ['#/target/x86_64_v3', '#/compiler/gcc%4013.2.0', '#/compiler/gcc%40git.0123456789abcdef0123456789abcdef01234567%3D13.2.0',
      '#/compiler/gcc', '#/build/zzzz']) assert.equal(await links(hash), 1, hash);
    for (const hash of ['#/target/zen4%2Czen5', '#/target/a%20b', '#/target/%3A', '#/target/fe', '#/compiler/a%20b%401', '#/compiler/gcc%4012%3A13',
      '#/compiler/gcc%4013%20%2Bx', '#/compiler/%3Cb%3E', '#/build/Z%20z']) assert.equal(await links(hash), 0, hash);
  },

  'Skip to the content stays on the page': async (site) => {
    await site.go('#/reports');
    await site.page.evaluate(() => document.activeElement.blur());
    await site.page.locator('.skip').focus();
    await site.page.keyboard.press('Enter');
    assert.equal(await site.page.evaluate(() => `${location.hash} ${document.activeElement.id}`), '#/reports main');
    assert.equal(await site.text('h1'), 'Reports');
  },

  'Back returns to where the reader was, a link to the top': async (site) => {
    const position = () => site.page.evaluate(() => Math.round(scrollY));
    const scrolled = (to) => site.page.waitForFunction((one) => Math.abs(scrollY - one) < 2, to);
    await site.page.setViewportSize({ width: site.page.viewportSize().width, height: 400 });
    await site.go('#/history');
    await site.page.evaluate(() => scrollTo(0, 600));
    const before = await position();
    assert.ok(before > 100, `${before}`);
    await site.page.evaluate(() => document.querySelector('main a[href^="#/"]').click());
    await scrolled(0);
    await site.settled();
    await site.page.evaluate(() => scrollTo(0, 50));
    await site.page.goBack();
    await scrolled(before);
    await site.page.waitForFunction(() => history.state.scrolled === scrollY);
    await site.page.reload();
    await site.settled();
    await scrolled(before);
    await site.page.goForward();
    await site.arrived('#/');
    assert.equal(await site.page.evaluate(() => history.scrollRestoration), 'manual');
  },

  'SQL that writes is refused': async (site) => {
    await site.go('#/sql');
    const refused = async (sql, expected) => {
      await site.page.locator('#query').fill(sql);
      await site.page.locator('#run').click();
      await site.page.waitForSelector('.answer .error');
      assert.match(await site.text('.answer .error'), expected);
      await site.page.locator('.answer').evaluate((place) => place.replaceChildren());
    };
    await refused('DELETE FROM spec', /readonly/);
    await refused('CREATE TEMP TABLE t AS SELECT 1', /readonly/);
    await refused('SELECT 1; DELETE FROM spec', /one statement/);
    await refused('SELECT :nothing', /no value is given/);
    await refused('SELECT * FROM nowhere', /no such table/);
  },

  'A long question is stopped, and the next one is answered': async (site) => {
    await site.go('#/sql');
    await site.page.locator('#query').fill('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n');
    await site.page.locator('#run').click();
    await site.page.waitForSelector('#status button');
    // If the question ran in the page itself, the page could not take this character.
    await site.page.locator('#query').press('End');
    await site.page.keyboard.type(';');
    assert.match(await site.page.locator('#query').inputValue(), /;$/);
    assert.equal(await site.page.locator('#status button').isVisible(), true, 'the question is still asked');
    await site.page.locator('#status button').click();
    await site.page.waitForFunction(() => document.querySelector('.answer').textContent.includes('Stopped'));
    await site.page.locator('#query').fill('SELECT 42 AS answer');
    await site.page.locator('#run').click();
    await site.page.waitForSelector('#timing');
    assert.deepEqual(await site.column('answer'), ['42']);
  },

  'A question after one that was stopped while the ledger was loaded is answered': async (site) => {
    await site.go('#/sql');
    await site.page.evaluate(() => {
      const press = (name) => [...document.querySelectorAll('main button')].find((one) => one.textContent === name).click();
      press('Run');
      press('Stop');
      document.querySelector('#query').value = 'SELECT 42 AS answer';
      press('Run');
    });
    await site.page.waitForFunction(() => document.querySelector('#timing') || document.querySelector('.answer').textContent === 'Stopped.');
    assert.deepEqual(await site.column('answer'), ['42']);
  },

  'An address that asks for what the site lacks is told so': async (site, { about }) => {
    const told = async (hash, expected) => {
      await site.page.evaluate((one) => { location.hash = one; }, hash);
      await site.page.waitForFunction((one) => document.querySelector('main').dataset.page === one, hash);
      assert.match(await site.text('main'), expected, hash);
    };
    await told('#/nowhere', /No such page/);
    await told('#/constructor', /No such page/);
    await told('#/report/nothing', /No such report/);
    await told('#/coverage?at=gone', /no snapshot gone/);
    await told(`#/drift?from=gone&to=${about.at}`, /no snapshot gone/);
    await told('#/report/drift%2Fspecs?to=gone', /no snapshot gone/);
    await told('#/report/coverage%2Fgaps?percent=two', /percent 'two': expected a whole number/);
  },

  'The policy lets nothing out': async (site) => {
    const before = site.offences.length;
    const sent = await site.page.evaluate(() => fetch('https://example.invalid/').then(() => true, () => false));
    assert.equal(sent, false);
    const said = site.offences.splice(before);
    assert.ok(said.every((one) => /console: .*Content Security Policy|console: .*Fetch API cannot load/.test(one)), said.join('\n'));
  },

  'Another snapshot is chosen, and links keep it': async (site, { about, program }) => {
    const { name } = about.snapshots[0];
    await site.page.locator('#at').selectOption(name);
    await site.arrived(name === about.at ? '' : '#/?at=');
    const [row] = program('report', 'coverage/summary', '--at', name);
    assert.match(await site.page.locator('.tile dd').first().textContent(), new RegExp(`^${row.packages.toLocaleString('en')}`));
    if (name !== about.at) assert.match(await site.page.locator('nav a').nth(1).getAttribute('href'), /at=/);
  },

  'Each chart has its numbers as a table': async (site) => {
    await site.go('#/');
    const folded = site.page.locator('details.numbers');
    assert.ok(await folded.count() >= 3);
    await folded.first().locator('summary').click();
    await folded.first().getByRole('grid').waitFor({ timeout: 10000 });
  },
};
