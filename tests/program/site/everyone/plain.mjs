// The site without JavaScript: what the front page says in words.
import assert from 'node:assert/strict';

const columns = ['packages', 'specs', 'versions', 'stacks', 'targets', 'compilers'];
const shown = (value) => value.toLocaleString('en');

function change(now, before) {
  if (now === before) return ' (no change)';
  return ` (${now > before ? '+' : '−'}${shown(Math.abs(now - before))})`;
}

/// Opens the front page with JavaScript off, and compares its numbers with the program's.
export async function readPlain(browser, address, { about, program }) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(`${address}index.html`);
    const [now] = program('report', 'coverage/summary', '--at', about.at);
    const series = about.snapshots.filter((one) => one.series === about.snapshots.find(({ name }) => name === about.at).series);
    const earlier = series[series.findIndex(({ name }) => name === about.at) - 1];
    const [before] = earlier ? program('report', 'coverage/summary', '--at', earlier.name) : [];
    assert.equal(await page.locator('main h1').innerText(), about.title);
    assert.equal(await page.title(), about.title);
    assert.deepEqual(await page.locator('main dd').allInnerTexts(),
      columns.map((column) => shown(now[column]) + (before ? change(now[column], before[column]) : '')));
    const text = await page.locator('main').innerText();
    assert.ok(text.includes(about.at) && (!earlier || text.includes(earlier.name)), text);
    const described = await page.locator('meta[name=description]').getAttribute('content');
    assert.equal(described, `${about.title}: ${shown(now.specs)} builds of ${shown(now.packages)} packages in ${about.at}`);
  } finally {
    await context.close();
  }
}
