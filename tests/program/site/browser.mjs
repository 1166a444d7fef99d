// A site in a real browser. What the page must never do is counted: errors in the console, requests to other hosts, markup that ran.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const flags = ['--disable-dev-shm-usage', '--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

export const launch = (chromium, executablePath) => chromium.launch({ executablePath, args: flags });

/// A file or folder of tests/data.
export const data = (name) => fileURLToPath(new URL(`../../data/${name}`, import.meta.url));

export const fileAddress = (site) => `file://${path.resolve(site)}/`;

/// A page with helpers. `offences` is the list of what it must not do.
export class SitePage {
  static async open(browser, address, viewport, options = {}) {
    const context = await browser.newContext({ viewport, ...options });
    const made = new SitePage(await context.newPage(), address);
    await made.page.goto(`${address}index.html${options.hash ?? ''}`);
    await made.settled();
    return made;
  }

  constructor(page, address) {
    Object.assign(this, { page, address, offences: [] });
    page.on('pageerror', (error) => this.offences.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning', 'assert'].includes(message.type())) this.offences.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !/^(data|blob):/.test(url)) this.offences.push(`request: ${url}`);
    });
    page.on('dialog', (dialog) => {
      this.offences.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
  }

  /// Waits until nothing of the page is still to come.
  async settled() {
    await this.page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]'),
      null, { timeout: 60000 });
  }

  async go(hash) {
    await this.page.evaluate((one) => { location.hash = one; }, hash);
    await this.page.waitForFunction((one) => decodeURI(document.querySelector('main').dataset.page) === decodeURI(one), hash);
    await this.settled();
  }

  /// Waits for a page whose address begins like this. The address changes before the page that it names is there.
  async arrived(start) {
    await this.page.waitForFunction((one) => document.querySelector('main').dataset.page.startsWith(one), start);
    await this.settled();
  }

  /// Asks SQL and waits for the answer.
  async ask(sql) {
    await this.go('#/sql');
    await this.page.locator('#query').fill(sql);
    await this.page.locator('#run').click();
    await this.page.waitForSelector('#timing');
  }

  table(name) {
    return this.page.locator(`[data-table="${name}"]`);
  }

  /// The texts of the first column in view of a table.
  async column(name, place = 1) {
    return this.table(name).locator(`tbody tr:not(.pad) td:nth-child(${place})`).allTextContents();
  }

  text(selector) {
    return this.page.locator(selector).first().textContent();
  }

  async isSidewaysScrollable() {
    return this.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  }

  async close() {
    await this.page.context().close();
  }
}
