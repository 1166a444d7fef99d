// Starts the pages.
import { ask } from './data/ask.js';
import { Cancelled, runSql } from './data/ledger.js';
import { pages, startRouter } from './shell/router.js';
import { startShell } from './shell/shell.js';
import { findBuilds } from './spec/find.js';
import { wordsOf } from './words/words.js';

// What nobody waits for any more, because the reader left the page, is no error.
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof Cancelled) event.preventDefault();
});

startShell();
startRouter();

// For the console of the browser, and for tests: the rows of a canned report, and of a query, the words of a comparison, the builds
// that match a spec, and the names of pages.
globalThis.cacheledger = { report: ask, sql: runSql, words: wordsOf, builds: findBuilds, pages: Object.keys(pages) };
