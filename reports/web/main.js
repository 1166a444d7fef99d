// Starts the pages.
import { startShell } from './shell/shell.js';
import { pages, startRouter } from './shell/router.js';
import { about } from './data/site.js';
import { ask } from './data/ask.js';
import { Cancelled, runSql } from './data/ledger.js';
import { findBuilds } from './spec/search/find.js';
import { element } from './dom/element.js';
import { workedOut } from './words/words.js';

// What nobody waits for any more, because the reader left the page, is no error.
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof Cancelled) event.preventDefault();
});

const known_format = 2;

if (about.format === known_format) {
  startShell();
  startRouter();
} else {
  document.getElementById('main').append(element('p', { class: 'error' },
    `This site has the format ${about.format}; its pages read format ${known_format}. Make it again with one program.`));
}

// For the console of the browser, and for tests: the rows of a canned report, and of a query, the words of a comparison, the builds
// that match a spec, and the names of pages.
globalThis.cacheledger = { report: ask, sql: runSql, words: workedOut, builds: findBuilds, pages: Object.keys(pages) };
