// Starts the pages, and shows the one that the address names, or says why it can't be shown.
import { element } from './dom/element.js';
import { isWaiting, pageTitle, problem } from './dom/parts.js';
import { ask } from './data/ask.js';
import { Cancelled, runSql } from './data/ledger.js';
import { about, snapshotNamed } from './data/site.js';
import { chosenSnapshot, here } from './shell/address.js';
import { markPage, startShell } from './shell/shell.js';
import { drift } from './pages/drift.js';
import { matrix } from './pages/matrix.js';
import { overview } from './pages/overview.js';
import { coverage, findings, historyPage, report, reportList, sizes } from './pages/reports.js';
import { searchPage } from './pages/search.js';
import { sql } from './pages/sql.js';
import { buildPage } from './pages/things/build.js';
import { compilerPage, packagePage, stackPage, targetPage } from './pages/things/named.js';
import { findBuilds } from './spec/find.js';
import { wordsOf } from './words/words.js';

// Where the reader is on a page, for Back, Forward and loading again. The browser's own memory of it asks for pages that are whole at once.
const patience = 400;          // milliseconds: a page that does not grow for so long is whole, and a reader who does not scroll reads
const positions = new Map();   // from the key of an entry of the history to how far it was scrolled
let entry = null;              // the key of the one in view
let wanted = null;             // how far to scroll as soon as the page is as long
let timer = 0;
let resting = 0;

function stopScrolling() {
  clearTimeout(timer);
  wanted = null;
}

function scrollToWanted() {
  if (wanted === null) return;
  scrollTo(0, wanted);
  clearTimeout(timer);
  if (!isWaiting()) timer = setTimeout(stopScrolling, patience);
}

const mark = (more) => history.replaceState({ ...history.state, ...more }, '');

/// To be called before another page takes the place of the one in view.
function leave() {
  clearTimeout(resting);
  positions.set(entry, scrollY);
}

/// To be called when the page of the address is there: one of before is shown where it was, a new one from its top.
function arrive() {
  const { entry: known, scrolled } = history.state ?? {};
  stopScrolling();
  entry = known ?? Math.random();
  if (known === undefined) mark({ entry });
  wanted = positions.get(entry) ?? scrolled ?? 0;
  scrollToWanted();
  if (wanted === 0) stopScrolling();
}

/// `main` grows while parts of a page come. Readers who scroll meanwhile are left where they are.
function keepPositions(main) {
  history.scrollRestoration = 'manual';
  // Chromium keeps nothing that is said while a page ends.
  addEventListener('scroll', () => {
    clearTimeout(resting);
    resting = setTimeout(() => mark({ scrolled: scrollY }), patience);
  }, { passive: true });
  for (const act of ['wheel', 'pointerdown', 'keydown']) addEventListener(act, stopScrolling, { passive: true });
  new ResizeObserver(scrollToWanted).observe(main);
}

/// Each takes {at, name, given, signal} and gives the elements of the page; what comes later fills its place by itself.
const pages = {
  '': overview, coverage, matrix, package: packagePage, stack: stackPage, drift, history: historyPage, sizes, findings, reports: reportList,
  report, sql, search: searchPage, build: buildPage, compiler: compilerPage, target: targetPage,
};

const main = document.getElementById('main');
let leaving = new AbortController();

function show() {
  leaving.abort();   // questions of the page before that have not been asked yet
  leaving = new AbortController();
  const { page, name, given } = here();
  const make = missingSnapshot(page, given) ?? (Object.hasOwn(pages, page) ? pages[page] : missingPage);
  try {
    main.replaceChildren(...make({ at: chosenSnapshot(), name, given, signal: leaving.signal }).filter(Boolean));
  } catch (error) {
    main.replaceChildren(problem(error));
  }
  const title = main.querySelector('h1')?.textContent;
  document.title = title ? `${title} · cacheledger` : 'cacheledger';
  markPage(page);
  main.dataset.page = location.hash;
}

const way_out = () => element('p', {}, element('a', { href: '#/' }, 'To the overview'));

const missingPage = () => [pageTitle('No such page'), way_out()];

const snapshot_parameters = ['at', 'from', 'to', 'lock'];
const pages_of_one_snapshot = new Set(['', 'coverage', 'matrix', 'package', 'stack', 'compiler', 'target', 'sizes', 'findings']);

// A page that says that the snapshot which the address asks for is not here, where that is so: the numbers of another would be wrong.
function missingSnapshot(page, given) {
  const missing = snapshot_parameters.map((key) => given.get(key)).find((name) => name && !snapshotNamed(name));
  if (missing) {
    return () => [pageTitle('No such snapshot'), element('p', {}, 'This site has no snapshot ', element('code', {}, missing),
      '. It may have been forgotten, or the site may be of newer snapshots only.'), way_out()];
  }
  if (chosenSnapshot() !== null || !pages_of_one_snapshot.has(page)) return null;
  return ({ name }) => [pageTitle(name || about.title), element('p', {}, about.snapshots.length > 0
    ? 'The ledger has no snapshot of a cache. Choose one of the others at the top.' : 'The ledger has no snapshot.')];
}

function startRouter() {
  keepPositions(main);
  addEventListener('hashchange', () => {
    leave();
    show();
    arrive();
    main.focus({ preventScroll: true });
  });
  // Its address would be that of a page.
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
    main.scrollIntoView();
  });
  // Screen readers are told when a page is whole; tests wait for it.
  new MutationObserver(() => main.setAttribute('aria-busy', String(isWaiting())))
    .observe(main, { childList: true, subtree: true });
  show();
  arrive();
}

// What nobody waits for any more, because the reader left the page, is no error.
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof Cancelled) event.preventDefault();
});

startShell();
startRouter();

// For the console of the browser, and for tests: the rows of a canned report, and of a query, the words of a comparison, the builds
// that match a spec, and the names of pages.
globalThis.cacheledger = { report: ask, sql: runSql, words: wordsOf, builds: findBuilds, pages: Object.keys(pages) };
