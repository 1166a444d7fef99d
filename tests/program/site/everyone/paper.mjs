// Pages on paper. What stands where is asked of the browser's layout in the width of a sheet, and of the file that it prints.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pagesThere } from './page_list.mjs';

// Words that are broken into two lines, of what is not long (styles/readers.css).
function brokenWords() {
  const broken = [];
  for (const place of document.querySelectorAll('.scroll td:not(.long):not([aria-hidden] *), .bars .label, h1, h2, .panel > header p')) {
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { 0: word, index } of text.data.matchAll(/[^\s\-/@:,.=]{2,25}/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word);
      }
    }
  }
  return broken;
}

// The lines of each sheet, by pdftotext of poppler-utils; null where it is not installed and need not be.
function sheetsOf(pdf) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'cacheledger-paper-')), 'page.pdf');
  fs.writeFileSync(file, pdf);
  try {
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    return text.split('\f').slice(0, -1).map((sheet) => sheet.split('\n').map((line) => line.trim()).filter(Boolean));
  } catch (error) {
    if (error.code === 'ENOENT' && process.env.CACHELEDGER_BROWSER !== 'required') return null;
    throw error;
  } finally {
    fs.rmSync(path.dirname(file), { recursive: true });
  }
}

export const paper_tests = {
  'No word is broken on paper': async (site, known) => {
    await site.page.setViewportSize({ width: 900, height: 1200 });
    for (const { hash } of await pagesThere(site, known)) {
      await site.go(hash);
      await site.page.emulateMedia({ media: 'print' });
      assert.deepEqual(await site.page.evaluate(brokenWords), [], hash);
      await site.page.emulateMedia({ media: 'screen' });
    }
  },

  'The first sheet has text, and no sheet ends with a heading': async (site, known) => {
    for (const { hash } of await pagesThere(site, known)) {
      await site.go(hash);
      const headings = new Set(await site.page.locator('main :is(h1, h2)').allInnerTexts());
      const sheets = sheetsOf(await site.page.pdf({ format: 'A4', preferCSSPageSize: true }));
      if (sheets === null) return;
      assert.ok(sheets[0].length > 2, `${hash}: the first sheet has ${sheets[0].length} lines`);
      for (const [number, lines] of sheets.entries()) assert.equal(headings.has(lines.at(-1)), false, `${hash}, sheet ${number + 1}: ${lines.at(-1)}`);
    }
  },

  'A table says its columns on each sheet': async (site) => {
    await site.ask('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i AS first_column, i * 2 AS second_column FROM n');
    const sheets = sheetsOf(await site.page.pdf({ format: 'A4' }));
    if (sheets === null) return;
    const with_rows = sheets.filter((lines) => lines.some((line) => /^\d+\s+\d+$/.test(line)));
    assert.ok(with_rows.length > 1);
    for (const lines of with_rows) assert.ok(lines.some((line) => /^first column\s+second column$/.test(line)), lines.slice(0, 3).join('\n'));
  },

  'What a table leaves out on paper is no empty sheets': async (site) => {
    await site.ask('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n');
    const sheets = sheetsOf(await site.page.pdf({ format: 'A4' }));
    if (sheets === null) return;
    for (const [number, lines] of sheets.entries()) assert.ok(lines.length > 2, `sheet ${number + 1} of ${sheets.length}`);
  },

  'Paper is light, whatever the colours of the page': async (site) => {
    await site.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colour = await site.page.evaluate(() => getComputedStyle(document.querySelector('.panel')).backgroundColor);
    assert.equal(colour, 'rgb(255, 255, 255)');
  },
};
