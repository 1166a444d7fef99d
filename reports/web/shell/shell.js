// What stands around every page: the links, the search, the snapshot, light or dark, and what the ledger is doing.
import { count, element, show, visible } from '../dom/element.js';
import { button, code } from '../dom/parts.js';
import { groupBy } from '../data/ask.js';
import { onStatus, stop } from '../data/ledger.js';
import { about, snapshotNamed } from '../data/site.js';
import { address, all_series, chosenSeries, chosenSnapshot, here } from './address.js';
import { searchField, tellSearched } from './search.js';
import { applyTheme, storedTheme, storeTheme } from './theme.js';

// The button that goes from the colours of the system to light, to dark, and back.
const themes = [
  { theme: null, sign: '◐', name: 'as the system' },
  { theme: 'light', sign: '☀', name: 'light' },
  { theme: 'dark', sign: '☾', name: 'dark' },
];

function themeButton() {
  let place = themes.findIndex(({ theme }) => theme === storedTheme());
  const made = button('', () => {
    place = (place + 1) % themes.length;
    storeTheme(themes[place].theme);
    applyTheme(themes[place].theme);
    tell();
  }, { id: 'theme' });
  const tell = () => {
    const { sign, name } = themes[place];
    made.textContent = `${sign}\ufe0e`;   // not as a picture in colours
    made.title = `Colours: ${name}. Next: ${themes[(place + 1) % themes.length].name}`;
    made.setAttribute('aria-label', `Colours: ${name}`);
  };
  tell();
  return made;
}

const links = [
  ['', 'Overview'], ['coverage', 'Coverage'], ['matrix', 'Matrix'], ['drift', 'Drift'], ['history', 'History'], ['sizes', 'Sizes'],
  ['findings', 'Findings'], ['reports', 'Reports'], ['sql', 'SQL'],
];
const parent = { report: 'reports' };

const navigation = element('nav', { 'aria-label': 'Pages' });
const snapshots = element('select', { id: 'at', 'aria-label': 'Snapshot', onchange: () => goTo({ at: snapshots.value }) });
const series = element('select', { id: 'series', 'aria-label': 'Series', onchange: changeSeries });
const names_of_series = [...new Set(about.snapshots.map((one) => one.series))];
const pages_of_all_series = new Set(['history']);   // they say of each line and number whose it is

// The same page for other snapshots: compared with what was before them.
function goTo(chosen) {
  const { page, name, given } = here();
  location.hash = address(page, name, { ...Object.fromEntries(given), from: null, to: null, series: null, ...chosen });
}

// A series is shown by its newest snapshot.
function changeSeries() {
  if (series.value === all_series) goTo({ at: chosenSnapshot(), series: all_series });
  else goTo({ at: about.snapshots.findLast((one) => one.series === series.value).name });
}

function markSnapshot(page) {
  snapshots.value = chosenSnapshot() ?? '';
  snapshots.title = visible(snapshots.value);
  const chosen = chosenSeries();
  const has_all = pages_of_all_series.has(page);
  series.replaceChildren(...(has_all ? [element('option', { value: all_series }, 'all series')] : []),
    ...names_of_series.map((name) => element('option', { value: name }, name)));
  series.value = has_all && chosen === null ? all_series : snapshotNamed(chosenSnapshot())?.series ?? '';
  series.title = visible(series.value);
}

/// Marks the link of the page in view, and lets all links keep the snapshot in view.
export function markPage(page) {
  navigation.replaceChildren(...links.map(([name, title]) => element('a', {
    href: address(name), 'aria-current': (parent[page] ?? page) === name && 'page',
  }, title)));
  if (page !== 'search') tellSearched('');
  navigation.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  markSnapshot(page);
}

/// A choice of snapshots, newest first, those of one series together.
export function snapshotOptions() {
  const series = groupBy(about.snapshots, (one) => one.series);
  // Midnight says nothing, and takes the room of the date.
  const options = (list) => list.slice().reverse().map(({ name }) => element('option', { value: name }, name.replace('T00:00:00Z', '')));
  if (series.size === 1) return options(about.snapshots);
  return [...series].map(([name, list]) => element('optgroup', { label: name }, options(list)));
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
      button('Stop', stop));
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
    element('div', { class: 'tools' }, searchField(), names_of_series.length > 1 && series, snapshots, themeButton()));
  document.getElementById('footer').append(
    element('p', {}, element('b', {}, about.title), ` · ${count(about.snapshots.length, 'snapshot')} · ledger of `,
      `${show(Math.round(about.ledger.bytes / 1e5) / 10)} MB`),
    element('p', {}, 'Made by ', code(about.program), '. All that these pages show is in their folder. ',
      element('a', { href: 'licences.txt' }, 'Licences')));
  watchLedger();
}
