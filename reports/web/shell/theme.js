// Light or dark, as the reader chose it; null: as the system. Pages from the disk and private windows may have no storage: then the choice
// lasts as long as the page. It runs alone before the page is drawn, so that a dark page is never light first: a file of its own, because the
// policy of index.html allows no script in the page, and app.js comes after the data.

const key = 'cacheledger-theme';

export function storedTheme() {
  try {
    const theme = localStorage.getItem(key);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null;
  }
}

export function storeTheme(theme) {
  try {
    if (theme === null) localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // nothing to be told: the page has its colours
  }
}

export function applyTheme(theme) {
  if (theme === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

applyTheme(storedTheme());
