// Addresses of pages: #/PAGE/NAME?parameters. They hold all that a reader needs to see the same again.
import { about, snapshotBefore, snapshotNamed } from '../data/site.js';

/// {page, name, given}: what the address in view says.
export function here() {
  const [, path, query] = /^#?\/?([^?]*)(?:\?(.*))?$/s.exec(location.hash);
  const [page, ...rest] = path.split('/');
  return { page, name: decode(rest.join('/')), given: new URLSearchParams(query) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;   // typed by hand
  }
}

/// The snapshot in view. That of a comparison is the later one: the header and the page never say two.
export function chosenSnapshot() {
  const { page, given } = here();
  const asked = [given.get('to'), given.get('at')].find((name) => name && snapshotNamed(name));
  return asked ?? (page === 'drift' ? about.to : null) ?? about.at;
}

/// The snapshot that another is compared with where nobody chose one: the one before it, or the one that the site was made with.
const usualFrom = (to) => (to !== null && to === about.to ? about.from : snapshotBefore(to)?.name ?? null);

/// The two snapshots that are compared, {from, to}; `from` is null where nothing is before the snapshot in view.
export function chosenPair() {
  const to = chosenSnapshot();
  const asked = here().given.get('from');
  return { from: asked && snapshotNamed(asked) ? asked : usualFrom(to), to };
}

/// The series in view: that of the snapshot. null for all of them, which only pages ask for that say of each number whose it is.
export function chosenSeries() {
  return here().given.get('series') === all_series ? null : snapshotNamed(chosenSnapshot())?.series ?? null;
}

/// What `series` is in an address that asks for all of them.
export const all_series = '*';

const isAnyChosen = (has) => ['at', 'from', 'to'].some(has);

// What the address says of snapshots: nothing of what is so anyhow. A comparison says both of its own.
function snapshotsIn(page, given) {
  if (given.from != null && given.to != null) return { ...given, at: null };
  const is_chosen = isAnyChosen((key) => given[key] != null) || isAnyChosen((key) => here().given.has(key));
  if (page === 'drift' && !is_chosen) return given;   // the pair that the site was made with
  const pair = chosenPair();
  const at = given.at ?? given.to ?? pair.to;
  const from = given.from ?? (at === pair.to ? pair.from : usualFrom(at));
  if (page === 'drift') return { ...given, at: null, from, to: at };
  return { ...given, at: at === about.at ? null : at, from: from === usualFrom(at) ? null : from, to: null };
}

/// The address of a page. The snapshot in view stays, and the one that it is compared with, unless `given` says others.
export function address(page, name = '', given = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(snapshotsIn(page, given))) {
    if (value != null && value !== '') query.set(key, value);
  }
  const path = `#/${page}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
  return query.size > 0 ? `${path}?${query}` : path;
}

const stacks = new Set(about.stacks);

/// The page of a stack; null where that is no name of one.
export const stackLink = (name) => (stacks.has(name) ? address('stack', name) : null);

/// Changes parameters of the address in view without leaving the page; null takes one away.
export function remember(changes) {
  const { given } = here();
  for (const [key, value] of Object.entries(changes)) {
    if (value == null || value === '') given.delete(key);
    else given.set(key, value);
  }
  const path = location.hash.replace(/\?.*$/s, '') || '#/';
  history.replaceState(history.state, '', given.size > 0 ? `${path}?${given}` : path);
}
