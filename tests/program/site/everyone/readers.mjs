// What readers with a keyboard, a phone, a dark room or a printer need.
import assert from 'node:assert/strict';
import { visible } from '../../../../reports/web/dom/element.js';
import { pagesThere } from './page_list.mjs';

const active = (site, act) => site.page.evaluate(act);
const press = async (site, ...keys) => {
  for (const key of keys) await site.page.keyboard.press(key);
};

// Whether the document has its rows as cards: so it is on a phone, where the columns have no room.
const isPhone = (site) => site.page.viewportSize().width < 760;

async function specsTable(site, { program, about }) {
  const [{ package: name }] = program('sql', `SELECT package FROM specs WHERE snapshot = '${about.at}' ORDER BY package LIMIT 1`);
  await site.go(`#/package/${encodeURIComponent(name)}`);
  return site.table('specs');
}

export const everyone_tests = {
  'A hash leads to its build, and the button beside it copies it': async (site, known) => {
    const table = await specsTable(site, known);
    const cell = table.locator('tbody tr:not(.pad) td').first();
    const href = await cell.locator('a.hash').getAttribute('href');
    const [, hash] = /^#\/build\/([a-z2-7]{32})$/.exec(href);
    const short = `/${hash.slice(0, 7)}`;
    assert.equal(await cell.locator('a.hash').textContent(), short);
    await site.page.evaluate(() => { navigator.clipboard.writeText = async (text) => { globalThis.taken_text = text; }; });
    await cell.getByRole('button', { name: `Copy ${short}…` }).click();
    assert.equal(await site.page.evaluate(() => globalThis.taken_text), `/${hash}`);
  },

  'Stacks, targets and compilers in tables lead to their pages': async (site, known) => {
    const table = await specsTable(site, known);
    const first = table.locator('tbody tr:not(.pad)').first();
    const [row] = known.program('sql', `SELECT compiler, target FROM specs WHERE snapshot = '${known.about.at}'
      AND hash = '${(await first.locator('a.hash').getAttribute('href')).split('/').at(-1)}'`);
    for (const name of ['compiler', 'target']) {
      assert.equal(await first.locator(`td[data-label=${name}] a`).getAttribute('href'), `#/${name}/${encodeURIComponent(row[name])}`);
    }
    const stack = first.locator('td[data-label=stacks] a').first();
    const [, name] = /^#\/stack\/(.*)$/.exec(await stack.getAttribute('href'));
    assert.equal(visible(decodeURIComponent(name)), await stack.textContent());
  },

  'A click beside a link filters, one on it leads on': async (site, known) => {
    const table = await specsTable(site, known);
    const cell = table.locator('tbody tr:not(.pad) td[data-label=target]').first();
    const target = await cell.textContent();
    const { width, height } = await cell.boundingBox();
    await cell.click({ position: { x: width - 3, y: height / 2 } });
    assert.match(await table.locator('.filters .chip').textContent(), new RegExp(`target = ${target}`));
    await cell.locator('a').click();
    await site.page.waitForFunction(() => document.querySelector('main').dataset.page.startsWith('#/target/'));
  },

  'In a table Enter follows a link, Space filters, and Tab goes through a cell': async (site, known) => {
    const table = await specsTable(site, known);
    await table.locator('thead button').first().focus();
    await press(site, 'ArrowDown');
    assert.equal(await active(site, () => document.activeElement.matches('a.hash')), true, 'the link of the first cell has the focus');
    await press(site, 'Tab');
    assert.equal(await active(site, () => document.activeElement.matches('button.copy')), true, 'Tab goes to the button of the cell');
    await press(site, 'Tab');
    assert.equal(await active(site, () => document.activeElement.closest('.scroll')), null, 'and then leaves the table');
    await table.locator('thead button').first().focus();
    await press(site, 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Space');
    assert.equal(await table.locator('.filters .chip').count(), 1);
    assert.equal(await active(site, () => document.activeElement.closest('td')?.dataset.label), 'compiler', 'the focus stays');
    const href = await active(site, () => document.activeElement.getAttribute('href'));
    await press(site, 'Enter');
    await site.page.waitForFunction((one) => location.hash === one, href);
  },

  'A table that is wider than a phone is a list of cards': async (site, known) => {
    const table = await specsTable(site, known);
    assert.equal(await table.locator('.scroll.cards').count(), isPhone(site) ? 1 : 0);
    if (!isPhone(site)) return;
    const [card, below] = [table.locator('tbody tr:not(.pad)').first(), table.locator('tbody tr:not(.pad)').nth(1)];
    const cells = await card.locator('td:not(:empty)').all();
    let bottom = 0;
    for (const cell of cells) {
      const box = await cell.boundingBox();
      assert.ok(box.y >= bottom - 1, 'values stand below one another');
      bottom = box.y + box.height;
      assert.notEqual(await cell.evaluate((one) => getComputedStyle(one, '::before').content), 'none', 'with their names');
      assert.equal(await cell.evaluate((one) => one.scrollWidth > one.clientWidth), false, 'nothing is cut');
    }
    assert.ok((await below.boundingBox()).y >= bottom);
  },

  'Cards are shown some at a time': async (site) => {
    await site.ask(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      SELECT i, 'a long text in the first column' AS a, 'a long text in the second column' AS b FROM n`);
    const rows = site.table('answer').locator('tbody tr:not(.pad)');
    if (!isPhone(site)) {
      assert.equal(await site.table('answer').locator('.more-cards').isVisible(), false);
      return;
    }
    assert.equal(await rows.count(), 8);
    await site.page.getByRole('button', { name: 'Show 20 more of 40' }).click();
    assert.equal(await rows.count(), 28);
    await site.page.getByRole('button', { name: 'Show 12 more of 40' }).click();
    assert.equal(await rows.count(), 40);
    assert.equal(await site.table('answer').locator('.more-cards').isVisible(), false);
  },

  'No name of a bar is cut': async (site, known) => {
    for (const { hash } of await pagesThere(site, known)) {
      await site.go(hash);
      const cut = await site.page.evaluate(() => [...document.querySelectorAll('.bars .label')]
        .filter((one) => one.scrollWidth > one.clientWidth || getComputedStyle(one).textOverflow === 'ellipsis').map((one) => one.textContent));
      assert.deepEqual(cut, [], hash);
    }
  },

  'A chart is read with the keyboard': async (site, { about, program }) => {
    await site.go('#/');
    const growth = program('report', 'history/growth').filter((row) => row.series === about.at.split('@')[0] || about.at.startsWith('develop-'));
    const chart = site.page.locator('.picture[tabindex="0"]').first();
    await chart.focus();
    await press(site, 'Home');
    const told = site.page.locator('figure [aria-live]').first();
    const text = await told.textContent();
    assert.match(text, new RegExp(`${growth[0].snapshot}\n${growth[0].specs} builds?`));
    await press(site, 'End');
    assert.match(await told.textContent(), new RegExp(growth.at(-1).snapshot));
    assert.match(await chart.textContent(), new RegExp(growth.at(-1).snapshot), 'the tip is drawn');
    await press(site, 'Enter');
    await site.arrived('#/drift?');
    assert.match(await site.page.evaluate(() => decodeURIComponent(location.hash)), new RegExp(`to=${growth.at(-1).snapshot}`));
  },

  'The colours that are chosen stay, and are there before anything is drawn': async (site) => {
    const theme = () => site.page.evaluate(() => document.documentElement.dataset.theme ?? 'system');
    const seen = [];
    for (let turn = 0; turn < 3; ++turn) {
      await site.page.locator('#theme').click();
      seen.push(await theme());
    }
    assert.deepEqual(seen, ['light', 'dark', 'system']);
    await site.page.locator('#theme').click();
    await site.page.locator('#theme').click();
    await site.page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => { globalThis.early = globalThis.theme_at_body; });
      new MutationObserver((_, watcher) => {
        if (!document.body) return;
        globalThis.theme_at_body = document.documentElement.dataset.theme;
        watcher.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await site.page.reload();
    await site.settled();
    assert.equal(await site.page.evaluate(() => globalThis.early), 'dark', 'before the body is there');
    assert.equal(await site.page.getByRole('button', { name: 'Colours: dark' }).count(), 1);
    await site.page.locator('#theme').click();
    assert.equal(await theme(), 'system');
  },

  'Nothing moves for who wants no motion': async (site) => {
    await site.page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = await site.page.evaluate(() => [...document.querySelectorAll('*')].filter((one) => {
      const { animationName, transitionDuration } = getComputedStyle(one);
      return animationName !== 'none' || transitionDuration.split(', ').some((time) => parseFloat(time) > 0);
    }).length);
    assert.equal(moving, 0);
  },

  'Bars and levels keep their colours where the system sets colours': async (site) => {
    await site.page.emulateMedia({ forcedColors: 'active' });
    await site.go('#/matrix');
    const colours = await site.page.evaluate(() => [...document.querySelectorAll('.scale i')].map((one) => getComputedStyle(one).backgroundColor));
    assert.ok(new Set(colours).size >= 5, colours.join(' '));
  },
};
