// What the reader chose in a table, in the address: NAME.q, NAME.sort, NAME.hide, NAME.common and NAME.is (a filter: column=value).
import { here, remember } from '../shell/address.js';

export function readState(name, selection) {
  const { given } = here();
  const words = (key) => given.get(`${name}.${key}`)?.split(',').filter(Boolean) ?? [];
  selection.search = given.get(`${name}.q`) ?? '';
  selection.hidden = new Set(words('hide'));
  selection.hides_common = given.has(`${name}.common`);
  const [column, way] = words('sort');
  if (column && selection.kind(column)) selection.sorting = { column, down: way === 'down' };
  const filters = JSON.parse(safeList(given.get(`${name}.is`)));
  selection.filters = filters.filter((one) => Array.isArray(one) && selection.kind(one[0]))
    .map(([of, value]) => ({ column: of, value: String(value) }));
  selection.update();
}

// An address may be typed by hand.
function safeList(text) {
  try {
    return Array.isArray(JSON.parse(text)) ? text : '[]';
  } catch {
    return '[]';
  }
}

export function writeState(name, selection) {
  const { search, hidden, hides_common, sorting, filters } = selection;
  remember({
    [`${name}.q`]: search,
    [`${name}.hide`]: [...hidden].join(','),
    [`${name}.common`]: hides_common ? '1' : null,
    [`${name}.sort`]: sorting && `${sorting.column},${sorting.down ? 'down' : 'up'}`,
    [`${name}.is`]: filters.length > 0 ? filterState(filters) : null,
  });
}

/// Filters as an address has them: for links that lead to a filtered table.
export const filterState = (filters) => JSON.stringify(filters.map(({ column, value }) => [column, value]));
