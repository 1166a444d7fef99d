// SQL of the reader's own over the whole ledger.
import builds_by_stack_sql from '../queries/examples/builds_by_stack.sql';
import builds_with_cuda_sql from '../queries/examples/builds_with_cuda.sql';
import most_versions_sql from '../queries/examples/most_versions.sql';
import snapshots_sql from '../queries/examples/snapshots.sql';
import targets_and_compilers_sql from '../queries/examples/targets_and_compilers.sql';
import what_came_since_sql from '../queries/examples/what_came_since.sql';
import { count, element, showDuration } from '../dom/element.js';
import { button, code, copyButton, muted, pageTitle, panel, problem, prose } from '../dom/parts.js';
import { runSql, stop } from '../data/ledger.js';
import { about } from '../data/site.js';
import { remember } from '../shell/address.js';
import { table } from '../table/table.js';

// Queries to begin with: their files without the comment and the end.
const examples = [
  ['Builds by stack', builds_by_stack_sql],
  ['Targets and compilers', targets_and_compilers_sql],
  ['Most versions', most_versions_sql],
  ['Builds with CUDA', builds_with_cuda_sql],
  ['What came since', what_came_since_sql],
  ['Snapshots', snapshots_sql],
].map(([title, file]) => ({ title, sql: file.replace(/^--.*\n/, '').replace(/;\n$/, '') }));

function schema(insert) {
  return about.views.map(({ name, description, columns }) => element('details', { class: 'view' },
    element('summary', {}, code(name)), muted(prose(description)),
    element('p', { class: 'chips' }, columns.map((column) =>
      button(column, () => insert(column), { class: 'chip', title: `Put ${column} into the query` })))));
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
    rows.length > 0 ? table({ columns, rows }, { name: 'answer', height: 480 }) : muted(columns.join(', ')),
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
    answerWith(muted('Asking…'));
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
  const link = copyButton('Copy link', () => linkTo(area.value), { title: 'Copy the address of this page with the query' });
  if (given.has('query')) queueMicrotask(run);
  return [
    pageTitle('SQL', 'SQLite in this page, over the whole ledger. It only reads. ', code(':at'), ' is the snapshot in view, ',
      code(':from'), ' and ', code(':to'), ' are the default pair.'),
    element('div', { class: 'workbench' },
      panel('Query', null,
        element('p', { class: 'chips' }, examples.map(({ title, sql: text }) => button(title, show(text), { class: 'chip' }))),
        area,
        element('p', { class: 'actions' },
          button('Run', run, { class: 'primary', id: 'run' }), button('Stop', stop), link,
          element('span', { class: 'muted' }, 'Ctrl-Enter runs it')),
        answer),
      element('section', { class: 'panel schema' }, element('header', {}, element('h2', {}, 'Views')),
        schema((text) => insertInto(area, text)))),
  ];
}
