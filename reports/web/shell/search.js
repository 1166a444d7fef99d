// The field that finds everything: a combobox with groups (w3.org/WAI/ARIA/apg/patterns/combobox). Enter goes to what is chosen, or to the
// one thing that the text is, or to the page of all that matches.
import { count, element, visible } from '../dom/element.js';
import { Cancelled } from '../data/ledger.js';
import { address, chosenSnapshot } from './address.js';
import { asksLedger, ledgerGroups, namesLike, namesNear } from './search_text.js';

const most_names = 6;          // in each group
const pause = 150;             // milliseconds without typing before the ledger is asked

const list = element('div', { id: 'found', role: 'listbox', 'aria-label': 'What matches' });
const note = element('p', { class: 'note', id: 'found-note' });
const told = element('p', { class: 'offscreen', role: 'status' });
const box = element('div', { class: 'found', hidden: true }, list, note);
const field = element('input', {
  id: 'find', type: 'search', placeholder: 'Search  /', role: 'combobox', 'aria-label': 'Search',
  'aria-controls': 'found', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
  'aria-describedby': 'found-note', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
  title: 'A package, a spec like hdf5@1.14 +mpi, a hash, a stack, a target, a compiler, a version, a snapshot, a report',
});

let groups = [];
let chosen = -1;               // the number of the entry that the keys chose
let asking = new AbortController();
let timer = 0;
let is_whole = true;           // nothing more will come: the ledger has answered, or has nothing to say of the text

const entries = () => groups.flatMap((group) => group.entries);

// Without what is only near.
const matching = () => groups.filter((group) => !group.is_near).flatMap((group) => group.entries);

function option({ text, note: more, href }, index) {
  return element('div', {
    id: `found-${index}`, role: 'option', 'aria-selected': String(index === chosen),
    onpointerdown: (event) => { event.preventDefault(); open(href); },
  }, element('span', {}, text), more && element('span', { class: 'muted' }, more));
}

function draw() {
  let index = 0;
  list.replaceChildren(...groups.map(({ title, entries: own }, place) => {
    const id = `found-group-${place}`;
    return element('div', { role: 'group', 'aria-labelledby': id },
      element('div', { id, class: 'group', role: 'presentation' }, title), own.map((entry) => option(entry, index++)));
  }));
  list.hidden = groups.length === 0;
  note.hidden = note.textContent === '';
  box.hidden = list.hidden && note.hidden;
  field.setAttribute('aria-expanded', String(!list.hidden));
  if (chosen < 0) {
    field.removeAttribute('aria-activedescendant');
    return;
  }
  field.setAttribute('aria-activedescendant', `found-${chosen}`);
  document.getElementById(`found-${chosen}`).scrollIntoView({ block: 'nearest' });
}

function show(found, words, is_wrong = false) {
  groups = found;
  chosen = -1;
  note.textContent = visible(words);
  note.classList.toggle('error', is_wrong);
  told.textContent = note.textContent || (found.length > 0 ? `${count(entries().length, 'entry', 'entries')} in ${count(found.length, 'group')}` : '');
  draw();
}

function nothing(text) {
  const near = namesNear(text);
  if (near.length > 0) show([{ title: 'Nothing matches. Nearest', entries: near, is_near: true }], '');
  else show([], 'Nothing matches.');
}

function close() {
  stopAsking();
  show([], '');
}

function stopAsking() {
  clearTimeout(timer);
  asking.abort();
  asking = new AbortController();
}

// The names are there at once. What the ledger has of the text comes before them: it is what a spec or a hash means.
function search() {
  stopAsking();
  is_whole = true;
  const text = field.value.trim();
  const names = namesLike(text, most_names);
  if (text === '') close();
  else if (!asksLedger(text)) {
    if (names.length > 0) show(names, '');
    else nothing(text);
  } else {
    is_whole = false;
    show(names, names.length > 0 ? '' : 'Asking the ledger ...');
    timer = setTimeout(() => askLedger(text, names, asking.signal), pause);
  }
}

async function askLedger(text, names, signal) {
  try {
    const { groups: more, error } = await ledgerGroups(text, chosenSnapshot(), signal);
    if (signal.aborted) return;
    is_whole = true;
    if (error !== null) show(names, error, true);
    else if (names.length + more.length > 0) show([...more, ...names], '');
    else nothing(text);
  } catch (error) {
    if (!signal.aborted) show(names, error instanceof Cancelled ? 'Stopped.' : error.message, !(error instanceof Cancelled));
  }
}

function open(href) {
  field.value = '';
  close();
  location.hash = href;
}

// What the text is, if it is one thing: the name that is the text, or all that matches.
function onlyThing(text) {
  const names = namesLike(text, Infinity).flatMap((group) => group.entries);
  const exact = names.filter((entry) => entry.text === text);
  const found = exact.length > 0 ? exact : asksLedger(text) ? matching() : names;
  return found.length === 1 && (exact.length > 0 || is_whole) ? found[0] : null;
}

function enter() {
  const text = field.value.trim();
  if (text === '') return;
  open((chosen >= 0 ? entries()[chosen] : onlyThing(text))?.href ?? address('search', '', { q: text }));
}

function move(step) {
  const total = entries().length;
  if (box.hidden) search();
  else if (total > 0) chosen = chosen < 0 && step < 0 ? total - 1 : (chosen + step + total) % total;
  draw();
}

const keys = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: enter, Escape: close };

/// The text of the page of all that matches stays in the field.
export function tellSearched(text) {
  field.value = text;
}

export function searchField() {
  field.addEventListener('input', search);
  field.addEventListener('blur', close);
  field.addEventListener('keydown', (event) => {
    if (!Object.hasOwn(keys, event.key) || (event.key === 'Escape' && box.hidden)) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.addEventListener('keydown', (event) => {
    const is_typing = event.target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || is_typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.select();
  });
  return element('div', { class: 'find', role: 'search' }, field, box, told);
}
