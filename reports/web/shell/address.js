// Addresses of pages: #/PAGE/NAME?parameters. They hold all that a reader needs to see the same again.
import { about } from '../data/site.js';

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

/// The snapshot in view.
export function chosenSnapshot() {
  const asked = here().given.get('at');
  return about.snapshots.some((snapshot) => snapshot.name === asked) ? asked : about.at;
}

/// The address of a page. The snapshot in view stays, unless `given` says another.
export function address(page, name = '', given = {}) {
  const at = given.at ?? chosenSnapshot();
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...given, at: at === about.at ? null : at })) {
    if (value != null && value !== '') query.set(key, value);
  }
  const path = `#/${page}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
  return query.size > 0 ? `${path}?${query}` : path;
}

/// Changes parameters of the address in view without leaving the page; null takes one away.
export function remember(changes) {
  const { given } = here();
  for (const [key, value] of Object.entries(changes)) {
    if (value == null || value === '') given.delete(key);
    else given.set(key, value);
  }
  const path = location.hash.replace(/\?.*$/s, '') || '#/';
  history.replaceState(null, '', given.size > 0 ? `${path}?${given}` : path);
}
