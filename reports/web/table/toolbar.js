// What stands above a table: search, the number of rows, filters, columns, CSV.
import { element } from '../dom/element.js';
import { count, heading, show } from '../dom/format.js';
import { csvButtons } from './csv.js';

const few = 8;   // rows that need no search

// Escape closes it, a press elsewhere, and the focus elsewhere.
function closeFromOutside(chooser) {
  const pressed = (event) => {
    if (!chooser.contains(event.target)) chooser.open = false;
  };
  chooser.addEventListener('toggle', () => {
    if (chooser.open) document.addEventListener('pointerdown', pressed);
    else document.removeEventListener('pointerdown', pressed);
  });
  chooser.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    chooser.open = false;
    chooser.firstChild.focus();
  });
  chooser.addEventListener('focusout', ({ relatedTarget }) => {
    // A press on a label moves the focus to what is around the chooser: that is not elsewhere.
    if (relatedTarget && !chooser.contains(relatedTarget) && !relatedTarget.contains(chooser)) chooser.open = false;
  });
}

function columnChooser(selection, change) {
  const choices = selection.kinds.map(({ name }) => element('label', {},
    element('input', {
      type: 'checkbox', checked: !selection.hidden.has(name), onchange: (event) => {
        if (event.target.checked) selection.hidden.delete(name);
        else selection.hidden.add(name);
        change();
      },
    }), heading(name)));
  const chooser = element('details', { class: 'chooser' }, element('summary', {}, 'Columns'),
    element('div', { class: 'choices', role: 'group', 'aria-label': 'Columns' }, choices));
  closeFromOutside(chooser);
  return chooser;
}

/// `change` is called after the selection has changed; `inView()` is what of it is shown. Gives {bar, update}.
export function toolbar(name, selection, change, inView) {
  const { rows } = selection.table;
  const is_small = rows.length <= few;
  const number = element('span', { class: 'muted count', 'aria-live': 'polite' });
  const search = !is_small && element('input', {
    type: 'search', placeholder: 'Search rows', 'aria-label': `Search rows of ${name}`, value: selection.search,
    oninput: (event) => { selection.search = event.target.value; change(); },
  });
  const common = element('button', {
    type: 'button', class: 'quiet', title: 'Take away the columns in which all rows say the same',
    onclick: () => { selection.hides_common = !selection.hides_common; change(); },
  }, 'Hide common values');
  const chips = element('div', { class: 'chips filters' });
  const update = () => {
    const shown = selection.rows.length;
    number.textContent = shown === rows.length ? count(shown, 'row') : `${show(shown)} of ${count(rows.length, 'row')}`;
    common.setAttribute('aria-pressed', String(selection.hides_common));
    chips.replaceChildren(
      ...selection.filters.map(({ column, value }) => element('button', {
        type: 'button', class: 'chip', title: 'Take this filter away', 'aria-label': `Take away the filter ${column} = ${value}`,
        onclick: () => { selection.toggleFilter(column, value); change(); },
      }, element('span', { class: 'muted' }, `${heading(column)} = `), value === '' ? '–' : value, ' ×')),
      ...selection.common.map(({ kind, value }) => element('span', { class: 'chip common' },
        element('span', { class: 'muted' }, `all: ${heading(kind.name)} = `), value == null ? '–' : String(value))));
    chips.hidden = chips.childElementCount === 0;
  };
  const bar = element('div', { class: 'bar' }, search, number, element('div', { class: 'actions' },
    !is_small && common, !is_small && selection.kinds.length > 2 && columnChooser(selection, change),
    csvButtons(name, selection.table, inView)), chips);
  return { bar, update };
}
