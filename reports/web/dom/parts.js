// The parts that pages are made of: titles, panels, and panels whose content comes later.
import { element } from './element.js';
import { OnlyTheProgram } from '../data/ask.js';
import { Cancelled } from '../data/ledger.js';

export function pageTitle(title, ...below) {
  return element('div', { class: 'title' }, element('h1', {}, title),
    below.length > 0 && element('p', { class: 'muted' }, below));
}

/// A part of a page. `about` is a sentence or an element below the title, or null.
export function panel(title, about, ...body) {
  return element('section', { class: 'panel' },
    element('header', {}, element('h2', {}, title), about && element('p', { class: 'muted' }, about)),
    body);
}

/// A text of a report's header: what is between backticks is code.
export function prose(text) {
  return text.replaceAll('\n', ' ').split('`').map((part, index) => (index % 2 ? element('code', {}, part) : part));
}

export function problem(error) {
  if (error instanceof OnlyTheProgram) {
    return element('p', { class: 'muted' }, error.message, ' ', element('code', {}, error.command));
  }
  return error instanceof Cancelled
    ? element('p', { class: 'muted' }, 'Stopped.')
    : element('p', { class: 'error', role: 'alert' }, error.message);
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
  for (const place of pending) {
    if (!place.isConnected) pending.delete(place);
  }
  return pending.size > 0;
}

/// A list that is made when it is opened first. `hint` stands beside its name.
export function openable(name, hint, make) {
  const list = element('details', { class: 'openable' },
    element('summary', {}, element('span', {}, name), hint && element('span', { class: 'muted' }, hint)));
  list.addEventListener('toggle', () => {
    if (list.open && list.childElementCount === 1) list.append(make());
  });
  return list;
}

/// A button that copies a text, or what a function gives, and says so.
export function copyButton(label, text, attributes = {}) {
  const button = element('button', { type: 'button', title: `Copy ${text}`, ...attributes }, label);
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    copy(typeof text === 'function' ? text() : text).then(() => {
      button.classList.add('copied');
      setTimeout(() => button.classList.remove('copied'), 1200);
    });
  });
  return button;
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
