// Rows of a result: those that belong together, and their sums.

/// A map from what `keyOf(item)` gives to the list of its items, both in the order of the items.
export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/// The sum of a column of rows that are objects.
export const sum = (rows, column) => rows.reduce((total, row) => total + row[column], 0);

/// A table with the rows of one series only: all where `series` is null, or no column says the series.
export function ofSeries(data, series) {
  const place = data.columns.indexOf('series');
  return series === null || place < 0 ? data : { ...data, rows: data.rows.filter((row) => row[place] === series) };
}
