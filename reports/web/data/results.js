// The results that the program worked out before: nothing of SQLite is needed to see them.
import { about, loadData } from './site.js';

const groups = new Map();

export function resultKey(report, given) {
  return report + JSON.stringify(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const written = new Map(about.results.map((one) => [resultKey(one.report, one.arguments), one]));

/// The number of rows of a result that is there; else null.
export const rowsOf = (report, given) => written.get(resultKey(report, given))?.rows ?? null;

function load(group) {
  const there = globalThis.CACHELEDGER[`results.${group}`];
  const list = there ? Promise.resolve(there) : loadData(`results.${group}`, about.groups[group]);
  return list.then((results) => new Map(results.map((one) => [resultKey(one.report, one.arguments), one])));
}

/// The result, as {columns, rows}; null if it is not in the site.
export async function writtenResult(report, given) {
  const key = resultKey(report, given);
  const group = written.get(key)?.group;
  if (group === undefined) return null;
  if (!groups.has(group)) groups.set(group, load(group));
  return (await groups.get(group)).get(key);
}
