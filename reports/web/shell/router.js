// Shows the page that the address names, or says why it can't be shown.
import { element } from '../dom/element.js';
import { isWaiting, pageTitle, problem } from '../dom/parts.js';
import { about, snapshotNamed } from '../data/site.js';
import { chosenSnapshot, here } from './address.js';
import { arrive, keepPositions, leave } from './position.js';
import { markPage } from './shell.js';
import { buildPage } from '../pages/things/build.js';
import { compilerPage } from '../pages/things/compiler.js';
import { coverage } from '../pages/coverage.js';
import { drift } from '../pages/drift.js';
import { findings } from '../pages/findings.js';
import { history } from '../pages/history.js';
import { matrix } from '../pages/matrix.js';
import { overview } from '../pages/overview.js';
import { packagePage } from '../pages/things/package.js';
import { report } from '../pages/report.js';
import { reportList } from '../pages/report_list.js';
import { searchPage } from '../pages/search.js';
import { sizes } from '../pages/sizes.js';
import { sql } from '../pages/sql.js';
import { stackPage } from '../pages/things/stack.js';
import { targetPage } from '../pages/things/target.js';

/// Each takes {at, name, given, signal} and gives the elements of the page; what comes later fills its place by itself.
export const pages = {
  '': overview, coverage, matrix, package: packagePage, stack: stackPage, drift, history, sizes, findings, reports: reportList, report, sql,
  search: searchPage, build: buildPage, compiler: compilerPage, target: targetPage,
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

export function startRouter() {
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
