// What stands around every page: the links, the search for a package, the snapshot, light or dark, and what the ledger is doing.
import { element } from '../dom/element.js';
import { count, show } from '../dom/format.js';
import { about } from '../data/site.js';
import { onStatus, stop } from '../data/ledger.js';
import { packageSearch } from './package_search.js';
import { address, chosenSnapshot, here } from './address.js';

const links = [
  ['', 'Overview'], ['coverage', 'Coverage'], ['matrix', 'Matrix'], ['drift', 'Drift'], ['history', 'History'], ['sizes', 'Sizes'],
  ['findings', 'Findings'], ['reports', 'Reports'], ['sql', 'SQL'],
];
const parent = { report: 'reports' };

const navigation = element('nav', { 'aria-label': 'Pages' });
const snapshots = element('select', { id: 'at', 'aria-label': 'Snapshot', onchange: changeSnapshot });

function changeSnapshot() {
  const { page, name, given } = here();
  const pair = page === 'drift' ? { from: null, to: null } : {};   // the drift that ended in the snapshot
  location.hash = address(page, name, { ...Object.fromEntries(given), ...pair, at: snapshots.value });
}

/// Marks the link of the page in view, and lets all links keep the snapshot in view.
export function markPage(page) {
  navigation.replaceChildren(...links.map(([name, title]) => element('a', {
    href: address(name), 'aria-current': (parent[page] ?? page) === name && 'page',
  }, title)));
  navigation.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  snapshots.value = snapshots.title = chosenSnapshot() ?? '';
}

/// A choice of snapshots, newest first, those of one series together.
export function snapshotOptions() {
  const series = new Map();
  for (const one of about.snapshots) series.set(one.series, [...(series.get(one.series) ?? []), one]);
  const options = (list) => list.slice().reverse().map(({ name }) => element('option', { value: name }, name));
  if (series.size === 1) return options(about.snapshots);
  return [...series].map(([name, list]) => element('optgroup', { label: name }, options(list)));
}

function themeButton() {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  const button = element('button', { type: 'button', id: 'theme', class: 'quiet', 'aria-label': 'Dark colours' }, '◐');
  const tell = () => button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    tell();
  });
  tell();
  return button;
}

const patience = 250;   // milliseconds: what takes less is not worth a word

function watchLedger() {
  const place = document.getElementById('status');
  let timer = 0;
  onStatus(({ state, part }) => {
    clearTimeout(timer);
    if (state === 'idle') {
      place.replaceChildren();
      return;
    }
    const is_loading = state === 'loading';
    const told = () => place.replaceChildren(
      element('span', {}, is_loading ? 'Loading the ledger' : 'Asking the ledger'),
      element('progress', { value: is_loading && String(part), max: 1, 'aria-label': 'Progress' }),
      element('button', { type: 'button', class: 'quiet', onclick: stop }, 'Stop'));
    timer = setTimeout(told, place.childElementCount > 0 ? 0 : patience);
  });
}

export function startShell() {
  if (about.at === null) snapshots.append(element('option', { value: '' }, 'no snapshot'));
  snapshots.append(...snapshotOptions());
  document.getElementById('header').append(
    element('a', { class: 'brand', href: '#/' }, element('span', { class: 'mark', 'aria-hidden': 'true' }, '▦'), ' cache',
      element('b', {}, 'ledger')),
    navigation,
    element('div', { class: 'tools' }, packageSearch(), snapshots, themeButton()));
  document.getElementById('footer').append(
    element('p', {}, element('b', {}, about.title), ` · ${count(about.snapshots.length, 'snapshot')} · ledger of `,
      `${show(Math.round(about.ledger.bytes / 1e5) / 10)} MB`),
    element('p', {}, 'Made by ', element('code', {}, about.program), '. All that these pages show is in their folder. ',
      element('a', { href: 'licences.txt' }, 'Licences')));
  watchLedger();
}
