// Where the reader is on a page, for Back, Forward and loading again. The browser's own memory of it asks for pages that are whole at once.
import { isWaiting } from '../dom/parts.js';

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
export function leave() {
  clearTimeout(resting);
  positions.set(entry, scrollY);
}

/// To be called when the page of the address is there: one of before is shown where it was, a new one from its top.
export function arrive() {
  const { entry: known, scrolled } = history.state ?? {};
  stopScrolling();
  entry = known ?? Math.random();
  if (known === undefined) mark({ entry });
  wanted = positions.get(entry) ?? scrolled ?? 0;
  scrollToWanted();
  if (wanted === 0) stopScrolling();
}

/// `main` grows while parts of a page come. Readers who scroll meanwhile are left where they are.
export function keepPositions(main) {
  history.scrollRestoration = 'manual';
  // Chromium keeps nothing that is said while a page ends.
  addEventListener('scroll', () => {
    clearTimeout(resting);
    resting = setTimeout(() => mark({ scrolled: scrollY }), patience);
  }, { passive: true });
  for (const act of ['wheel', 'pointerdown', 'keydown']) addEventListener(act, stopScrolling, { passive: true });
  new ResizeObserver(scrollToWanted).observe(main);
}
