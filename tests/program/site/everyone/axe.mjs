// No page breaks a rule of axe-core (WCAG 2.2 A and AA, and best practice), in light and dark colours.
import assert from 'node:assert/strict';
import { makeMirrors } from '../pages/pictures.mjs';
import { pagesThere } from './page_list.mjs';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// In the dark only the colours are others; all rules would take twice as long.
const rules_of_colours = ['color-contrast', 'link-in-text-block'];

const what = ({ id, nodes }) => nodes.map(({ target, html, failureSummary }) =>
  `${id}: ${target.join(' ')}\n    ${html.slice(0, 200)}\n    ${failureSummary.split('\n').slice(1).join(' ').trim()}`);

async function violations(page, runOnly) {
  const found = await page.evaluate((only) => globalThis.axe.run(document, { runOnly: only, resultTypes: ['violations'], preload: false }), runOnly);
  return found.violations.flatMap(what);
}

// Rows of a table are alike. With all of them axe takes four times as long.
const few_rows = 'tbody tr:nth-child(n + 6), .heat-row:nth-of-type(n + 9) { display: none }';

/// What opens is looked at, too: lists, numbers of charts.
async function openAll(site) {
  await site.page.evaluate(() => {
    for (const list of document.querySelectorAll('main details:not([open]):not(.chooser)')) list.open = true;
  });
  await site.settled();
}

/// All that is wrong with the pages of a site, or with those of these names, as lines. `axe` is the text of axe-core.
export async function lookAtAll(site, known, axe, names = null) {
  await site.page.evaluate(axe);
  await site.page.addStyleTag({ content: few_rows });
  const wrong = [];
  for (const { name, hash } of await pagesThere(site, known)) {
    if (names !== null && !names.includes(name)) continue;
    await site.go(hash);
    await openAll(site);
    for (const [colorScheme, only] of [['light', { type: 'tag', values: standards }], ['dark', { type: 'rule', values: rules_of_colours }]]) {
      await site.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const line of await violations(site.page, only)) wrong.push(`${hash} ${colorScheme} ${line}`);
    }
  }
  return wrong;
}

export const axe_tests = (axe) => ({
  'No page breaks a rule of axe': async (site, known) => {
    const wrong = await lookAtAll(site, known, axe);
    assert.equal(wrong.length, 0, `${wrong.length} violations\n${wrong.join('\n')}`);
  },
});

/// The same for what only a ledger with dependencies has: trees, reasons, their graph, sizes.
export const axe_ledgers = (axe) => ({
  'No page of a mirror breaks a rule of axe': {
    make: makeMirrors,
    async look(site, about, { program }) {
      const wrong = await lookAtAll(site, { about, program }, axe, ['build', 'drift', 'sizes', 'stack']);
      assert.equal(wrong.length, 0, wrong.join('\n'));
    },
  },
});
