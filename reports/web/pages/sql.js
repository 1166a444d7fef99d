// SQL of the reader's own over the whole ledger.
import { element } from '../dom/element.js';
import { count, showDuration } from '../dom/format.js';
import { copyButton, pageTitle, panel, problem, prose } from '../dom/parts.js';
import { runSql, stop } from '../data/ledger.js';
import { about } from '../data/site.js';
import { remember } from '../shell/address.js';
import { table } from '../table/table.js';
import { examples } from './sql_examples.js';

function schema(insert) {
  return about.views.map(({ name, description, columns }) => element('details', { class: 'view' },
    element('summary', {}, element('code', {}, name)),
    element('p', { class: 'muted' }, prose(description)),
    element('p', { class: 'chips' }, columns.map((column) => element('button', {
      type: 'button', class: 'chip', title: `Put ${column} into the query`, onclick: () => insert(column),
    }, column)))));
}

function linkTo(query) {
  remember({ query });
  return location.href;
}

function insertInto(area, text) {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.focus();
}

function answerView({ columns, rows, milliseconds, cut }) {
  return [
    element('p', { class: 'muted', id: 'timing' }, `${count(rows.length, 'row')} in ${showDuration(milliseconds)}`,
      cut && element('b', {}, '; cut here: the answer has more rows')),
    rows.length > 0 ? table({ columns, rows }, { name: 'answer', height: 480 }) : element('p', { class: 'muted' }, columns.join(', ')),
  ];
}

export function sql({ at, given, signal }) {
  const area = element('textarea', {
    rows: 8, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', 'aria-label': 'SQL', id: 'query',
  });
  const answer = element('div', { class: 'answer', 'aria-live': 'polite' });
  let latest = 0;   // what was asked before has no place any more
  const run = async () => {
    const mine = ++latest;
    const answerWith = (...content) => mine === latest && answer.replaceChildren(...content);
    remember({ query: area.value });
    answerWith(element('p', { class: 'muted' }, 'Asking…'));
    try {
      const { from, to } = about;
      answerWith(...answerView(await runSql(area.value, { at, from, to }, signal)));
    } catch (error) {
      answerWith(problem(error));
    }
  };
  area.value = given.get('query') ?? examples[0].sql;
  area.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') run();
  });
  const show = (text) => () => { area.value = text; run(); };
  const link = copyButton('Copy link', () => linkTo(area.value), {
    class: 'quiet', title: 'Copy the address of this page with the query',
  });
  if (given.has('query')) queueMicrotask(run);
  return [
    pageTitle('SQL', 'SQLite in this page, over the whole ledger. It only reads. ', element('code', {}, ':at'), ' is the snapshot in view, ',
      element('code', {}, ':from'), ' and ', element('code', {}, ':to'), ' are the default pair.'),
    element('div', { class: 'workbench' },
      panel('Query', null,
        element('p', { class: 'chips' }, examples.map(({ title, sql: text }) =>
          element('button', { type: 'button', class: 'chip', onclick: show(text) }, title))),
        area,
        element('p', { class: 'actions' },
          element('button', { type: 'button', class: 'primary', id: 'run', onclick: run }, 'Run'),
          element('button', { type: 'button', class: 'quiet', onclick: stop }, 'Stop'), link,
          element('span', { class: 'muted' }, 'Ctrl-Enter runs it')),
        answer),
      element('section', { class: 'panel schema' }, element('header', {}, element('h2', {}, 'Views')),
        schema((text) => insertInto(area, text)))),
  ];
}
