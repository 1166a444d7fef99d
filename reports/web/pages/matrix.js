// Packages by stacks as a heat map. Cells that the report of gaps calls missing are marked.
import { count, element, show } from '../dom/element.js';
import { button, code, later, muted, pageTitle } from '../dom/parts.js';
import { ask, groupBy, objects } from '../data/ask.js';
import { reports } from '../data/site.js';
import { here, remember } from '../shell/address.js';
import { HeatMap } from '../table/heat.js';
import { filteredPackage } from '../table/selection.js';
import { csvButtons } from '../table/table.js';
import { plain } from '../table/order.js';

const greatest = (rows) => rows.reduce((most, row) => row.slice(1).reduce((a, b) => Math.max(a, b ?? 0), most), 1);

function asked(rows, gaps, { search, only_gaps, sorted }) {
  const text = search.trim().toLowerCase();
  const chosen = rows.filter((row) => row[0].toLowerCase().includes(text) && (!only_gaps || gaps.has(row[0])));
  if (sorted === null) return chosen;
  const sign = sorted.down ? -1 : 1;
  return chosen.toSorted((a, b) => sign * plain(a[sorted.column], b[sorted.column]));
}

// The address has the name of the column that the rows are sorted by, and whether the greatest come first.
function sortingFrom(given, columns) {
  const column = columns.indexOf(given.get('sort'));
  return column < 0 ? null : { column, down: given.has('down') };
}

const sortingState = (sorted, columns) => ({ sort: sorted && columns[sorted.column], down: sorted?.down ? '1' : null });

// The rows of missing packages, by package.
const missing = (gaps) => groupBy(objects(gaps).filter(({ gap }) => gap === 'missing'), (row) => row.package);

function legend(most) {
  return element('span', { class: 'scale' }, 'Builds: 1 ',
    Array.from({ length: 9 }, (_, level) => element('i', { class: `l${level + 1}` })), ` ${show(most)} `,
    element('i', { class: 'gap' }), ' gap: most sibling stacks have it');
}

function view(matrix, gaps) {
  const marks = missing(gaps);
  const most = greatest(matrix.rows);
  const { given } = here();
  const state = { search: given.get('q') ?? '', only_gaps: given.has('gaps'), sorted: sortingFrom(given, matrix.columns) };
  const number = element('span', { class: 'muted count', 'aria-live': 'polite' });
  let rows = [];
  const map = new HeatMap({
    caption: 'Builds of each package in each stack', most,
    marked: (name, stack) => marks.get(name)?.some((row) => row.stack === stack) ?? false,
    open: (name, stack) => filteredPackage(name, 'stacks', stack),
    sort: (column) => {
      state.sorted = { column, down: state.sorted?.column === column ? !state.sorted.down : column > 0 };
      draw();
    },
  });
  const draw = () => {
    rows = asked(matrix.rows, marks, state);
    const all = count(matrix.rows.length, 'package');
    number.textContent = rows.length === matrix.rows.length ? all : `${show(rows.length)} of ${all}`;
    map.show({ columns: matrix.columns, rows }, state.sorted);
    remember({ q: state.search, gaps: state.only_gaps ? '1' : null, ...sortingState(state.sorted, matrix.columns) });
  };
  const search = element('input', {
    type: 'search', placeholder: 'Search packages', 'aria-label': 'Search packages', value: state.search,
    oninput: (event) => { state.search = event.target.value; draw(); },
  });
  const only = button('Only packages with gaps', () => {
    state.only_gaps = !state.only_gaps;
    only.setAttribute('aria-pressed', String(state.only_gaps));
    draw();
  }, { 'aria-pressed': String(state.only_gaps) });
  draw();
  return [
    element('div', { class: 'bar' }, search, number, element('div', { class: 'actions' }, marks.size > 0 && only,
      csvButtons('packages by stack', matrix, () => ({ columns: matrix.columns, rows }))), muted(legend(most))),
    map.scroller, map.cut,
  ];
}

export function matrix({ at, signal }) {
  const data = Promise.all([ask('coverage/matrix', { at }, signal), ask('coverage/gaps', { at }, signal)]);
  return [
    pageTitle('Packages by stack', code(at), ' · ', reports.get('coverage/matrix').description.split('. ')[0], '.'),
    element('section', { class: 'panel' }, later(data, ([cells, gaps]) =>
      (cells.rows.length > 0 ? view(cells, gaps) : muted('No package is in a stack.')))),
  ];
}
