// Shows the page that the address names.
import { element } from '../dom/element.js';
import { isWaiting, problem } from '../dom/parts.js';
import { chosenSnapshot, here } from './address.js';
import { markPage } from './shell.js';
import { coverage } from '../pages/coverage.js';
import { drift } from '../pages/drift.js';
import { findings } from '../pages/findings.js';
import { history } from '../pages/history.js';
import { matrix } from '../pages/matrix.js';
import { overview } from '../pages/overview.js';
import { packagePage } from '../pages/package.js';
import { report } from '../pages/report.js';
import { reportList } from '../pages/report_list.js';
import { sql } from '../pages/sql.js';

/// Each takes {at, name, given, signal} and gives the elements of the page; what comes later fills its place by itself.
const pages = {
  '': overview, coverage, matrix, package: packagePage, drift, history, findings, reports: reportList, report, sql,
};

const main = document.getElementById('main');
let leaving = new AbortController();

function show() {
  leaving.abort();   // questions of the page before that have not been asked yet
  leaving = new AbortController();
  const { page, name, given } = here();
  const make = pages[page] ?? missingPage;
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

function missingPage() {
  return [element('h1', {}, 'No such page'), element('p', {}, element('a', { href: '#/' }, 'To the overview'))];
}

export function startRouter() {
  addEventListener('hashchange', () => {
    show();
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  });
  // Screen readers are told when a page is whole; tests wait for it.
  new MutationObserver(() => main.setAttribute('aria-busy', String(isWaiting())))
    .observe(main, { childList: true, subtree: true });
  show();
}
