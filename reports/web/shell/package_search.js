// The field that finds a package by a part of its name: a combobox (w3.org/WAI/ARIA/apg/patterns/combobox).
import { element } from '../dom/element.js';
import { about } from '../data/site.js';
import { address } from './address.js';

const most_shown = 12;

// Names that begin with the text come first, then those that have it after a '-', then the others.
function found(text) {
  const asked = text.trim().toLowerCase();
  if (asked === '') return [];
  const place = (name) => (name.startsWith(asked) ? 0 : name.includes(`-${asked}`) ? 1 : 2);
  return about.packages.filter((name) => name.toLowerCase().includes(asked))
    .sort((a, b) => place(a) - place(b) || a.length - b.length || (a < b ? -1 : 1)).slice(0, most_shown);
}

export function packageSearch() {
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Packages', hidden: true });
  const field = element('input', {
    id: 'find', type: 'search', placeholder: 'Find a package', role: 'combobox', 'aria-label': 'Find a package',
    'aria-controls': 'found', 'aria-expanded': 'false', 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false',
  });
  let names = [];
  let chosen = -1;

  const draw = () => {
    list.hidden = names.length === 0;
    field.setAttribute('aria-expanded', String(!list.hidden));
    list.replaceChildren(...names.map((name, index) => element('li', {
      id: `found-${index}`, role: 'option', 'aria-selected': String(index === chosen),
      onpointerdown: (event) => { event.preventDefault(); open(name); },
    }, name)));
    if (chosen >= 0) field.setAttribute('aria-activedescendant', `found-${chosen}`);
    else field.removeAttribute('aria-activedescendant');
  };
  const search = (text) => {
    names = found(text);
    chosen = names.length > 0 ? 0 : -1;
    draw();
  };
  const open = (name) => {
    field.value = '';
    search('');
    location.hash = address('package', name);
  };
  const keys = {
    ArrowDown: () => { chosen = (chosen + 1) % names.length; },
    ArrowUp: () => { chosen = (chosen + names.length - 1) % names.length; },
    Enter: () => { if (names[chosen] !== undefined) open(names[chosen]); },
    Escape: () => { names = []; chosen = -1; },
  };
  field.addEventListener('input', () => search(field.value));
  field.addEventListener('blur', () => search(''));
  field.addEventListener('keydown', (event) => {
    if (!(event.key in keys) || (names.length === 0 && event.key !== 'Escape')) return;
    event.preventDefault();
    keys[event.key]();
    draw();
  });
  return element('div', { class: 'find' }, field, list);
}
