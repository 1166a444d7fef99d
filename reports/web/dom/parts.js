// The parts that pages are made of: titles, panels, panels whose content comes later, links to builds; what changes for paper; files that a
// reader keeps.
import { element } from './element.js';
import { OnlyTheProgram } from '../data/ask.js';
import { Cancelled } from '../data/ledger.js';
import { address } from '../shell/address.js';

export const code = (text) => element('code', {}, text);
export const muted = (...text) => element('p', { class: 'muted' }, text);

/// A button that does something small. `attributes` may have a class of its own.
export const button = (label, onclick, attributes = {}) => element('button', { type: 'button', class: 'quiet', onclick, ...attributes }, label);

export function pageTitle(title, ...below) {
  return element('div', { class: 'title' }, element('h1', {}, title), below.length > 0 && muted(below));
}

/// A part of a page. `about` is a sentence or an element below the title, or null.
export function panel(title, about, ...body) {
  return element('section', { class: 'panel' }, element('header', {}, element('h2', {}, title), about && muted(about)), body);
}

/// A text of a report's header: what is between backticks is code.
export function prose(text) {
  return text.replaceAll('\n', ' ').split('`').map((part, index) => (index % 2 ? code(part) : part));
}

export function problem(error) {
  if (error instanceof OnlyTheProgram) return muted(error.message, ' ', code(error.command));
  return error instanceof Cancelled ? muted('Stopped.') : element('p', { class: 'error', role: 'alert' }, error.message);
}

const pending = new Set();

/// A place that `make` fills with what it makes of the promise's value: an element, a list, or null.
export function later(promise, make) {
  const place = element('div', { class: 'later', 'aria-busy': 'true' }, element('div', { class: 'placeholder' }));
  const fill = (...content) => {
    place.replaceChildren(...content.flat(Infinity).filter(Boolean));
    place.removeAttribute('aria-busy');
    pending.delete(place);
  };
  pending.add(place);
  promise.then((value) => fill(make(value))).catch((error) => fill(problem(error)));
  return place;
}

/// Whether something of the page in view is still to come.
export function isWaiting() {
  for (const place of pending) if (!place.isConnected) pending.delete(place);
  return pending.size > 0;
}

/// Appends what `act` makes when the list is opened first.
export function onFirstOpen(list, act) {
  list.addEventListener('toggle', () => {
    if (list.open && list.childElementCount === 1) list.append(act());
  });
  return list;
}

/// A list that is made when it is opened. `hint` stands beside its name.
export function openable(name, hint, make) {
  return onFirstOpen(element('details', { class: 'openable' },
    element('summary', {}, element('span', {}, name), hint && element('span', { class: 'muted' }, hint))), make);
}

/// A button that copies a text, or what a function gives, and says so.
export function copyButton(label, text, attributes = {}) {
  const made = button(label, (event) => {
    event.stopPropagation();
    copy(typeof text === 'function' ? text() : text).then(() => {
      made.classList.add('copied');
      setTimeout(() => made.classList.remove('copied'), 1200);
    });
  }, { title: `Copy ${text}`, ...attributes });
  return made;
}

// navigator.clipboard is missing in pages that a server gives without encryption.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = element('textarea', { class: 'offscreen' });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/// "hdf5@1.14.3"; the package alone where the version is not known.
export const versioned = (build) => (build.version == null ? build.package : `${build.package}@${build.version}`);

export const shortHash = (hash) => `/${hash.slice(0, 7)}`;

/// A link to the page of a build. A hash that two packages claim needs the package, too.
export const hashLink = (hash, text = shortHash(hash), given = {}) =>
  element('a', { class: 'hash', href: address('build', hash, given) }, text);

/// Links to the pages of things of one kind, with commas between them.
export const linksTo = (page, names) => names.map((name, index) => [index > 0 && ', ', element('a', { href: address(page, name) }, name)]);

// Tables show more on paper than on a screen.
const paper = matchMedia('print');
const on_paper = 'on-paper';

/// Calls `act(is_printing)` when the page is about to be printed, and afterwards, as long as `made` is in the document. What has left the
/// document is not held in memory by it.
export function onPaper(made, act) {
  made.classList.add(on_paper);
  made.addEventListener(on_paper, ({ detail }) => act(detail));
}

function tell(is_printing) {
  for (const made of document.getElementsByClassName(on_paper)) made.dispatchEvent(new CustomEvent(on_paper, { detail: is_printing }));
}

// Chromium counts the sheets before it tells of the other medium: what changes only then is cut, or leaves empty sheets. The medium alone
// changes where a page is looked at as on paper without being printed.
addEventListener('beforeprint', () => tell(true));
addEventListener('afterprint', () => tell(paper.matches));
paper.addEventListener('change', () => tell(paper.matches));

/// Saves a text as a file of this name and media type.
export function save(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  element('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
