// The rows of canned reports, wherever they come from: the results that the program worked out before, which need nothing of SQLite, else the
// ledger.
import { runReport, runSql } from './ledger.js';
import { about, loadData, queries, reports, steps } from './site.js';
import { compareColumn } from '../table/order.js';

/// A map from what `keyOf(item)` gives to the list of its items, both in the order of the items.
export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

/// The sum of a column of rows that are objects.
export const sum = (rows, column) => rows.reduce((total, row) => total + row[column], 0);

/// The sums of a column by the values of another, as a map.
export function sums(rows, by, column) {
  const found = new Map();
  for (const row of rows) found.set(row[by], (found.get(row[by]) ?? 0) + row[column]);
  return found;
}

/// A table with some of the rows: `holds` is asked of each as an object.
export function where(data, holds) {
  const all = objects(data);
  return { ...data, rows: data.rows.filter((_, index) => holds(all[index])) };
}

/// A table with the rows of one series only: all where `series` is null, or no column says the series.
export const ofSeries = (data, series) => (series === null ? data : where(data, (row) => row.series === undefined || row.series === series));

// "(no stack)".
const isNone = (key) => typeof key === 'string' && key.startsWith('(');

/// `rows`, `columns` and `values` name columns of the table; `absent` stands in cells without a row.
function pivot(table, { rows, columns, values, absent }) {
  const [row_key, column_key, value] = [rows, columns, values].map((name) => table.columns.indexOf(name));
  const compare = compareColumn(columns);
  const keys = [...new Set(table.rows.map((row) => row[column_key]))];
  keys.sort((a, b) => isNone(a) - isNone(b) || compare(a, b));   // '(no stack)' is last
  const place = new Map(keys.map((key, index) => [key, index + 1]));
  const matrix = new Map();
  for (const row of table.rows) {
    const key = row[row_key];
    if (!matrix.has(key)) matrix.set(key, [key, ...keys.map(() => absent)]);
    matrix.get(key)[place.get(row[column_key])] = row[value];
  }
  return { columns: [rows, ...keys.map((key) => key ?? 'NULL')], rows: [...matrix.values()] };
}

// The results in the site.
const groups = new Map();

function resultKey(report, given) {
  return report + JSON.stringify(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const written = new Map(about.results.map((one) => [resultKey(one.report, one.arguments), one]));

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

const most_known_rows = 20000;
const known = new Map();   // the latest results of the ledger

function keep(key, result) {
  known.set(key, result);
  let rows = 0;
  for (const one of known.values()) rows += one.rows.length;
  for (const [oldest, one] of known) {
    if (rows <= most_known_rows) return;
    known.delete(oldest);
    rows -= one.rows.length;
  }
}

/// All arguments of a report: `given` where it has them, else the defaults. Snapshots that `given` lacks are those of the site.
export function complete(report, given) {
  const snapshots = { at: about.at, from: about.from, to: about.to, lock: about.lock };
  return Object.fromEntries(report.parameters.map(({ name, type, default: usual }) =>
    [name, given[name] ?? (type === 'snapshot' ? snapshots[name] ?? null : usual)]));
}

/// A value that a pattern matches and nothing else: '*', '?' and '[' stand for themselves.
export const exactly = (name) => name.replace(/[[*?]/g, '[$&]');

/// A report that follows dependencies: the program worked it out for some snapshots, and the pages can't for others.
export class OnlyTheProgram extends Error {
  constructor(command) {
    super('Only the program works this out for these snapshots and filters:');
    this.command = command;
  }
}

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/// The command that gives the rows of a report.
function commandOf({ name, parameters }, args) {
  const options = parameters.filter((one) => args[one.name] !== null && args[one.name] !== one.default)
    .map((one) => ` --${one.name} ${quoted(String(args[one.name]))}`);
  return `cacheledger report ${name}${options.join('')}`;
}

async function fromLedger(report, args, signal) {
  if (report.reads.some((step) => !(step in steps))) throw new OnlyTheProgram(commandOf(report, args));
  const answer = await runReport(report.reads.map((name) => steps[name]), report.sql, args, signal);
  return report.pivot ? { ...answer, ...pivot(answer, report.pivot) } : answer;
}

/// The rows of a report: {columns, rows}. The order and the values are those of `cacheledger report NAME --format json`.
export async function ask(name, given = {}, signal) {
  const report = reports.get(name);
  const args = complete(report, given);
  const missing = report.parameters.find((one) => one.type === 'snapshot' && args[one.name] == null);
  if (missing) return { columns: [], rows: [], missing: missing.name };
  const result = await writtenResult(name, args);
  if (result) return result;
  const key = resultKey(name, args);
  if (known.has(key)) return known.get(key);
  const answer = await fromLedger(report, args, signal);
  keep(key, answer);
  return answer;
}

/// The rows of a query of the program's that is no report (about `queries` see reports/site/FORMAT.md).
export function askQuery(name, given, signal) {
  const { reads, sql } = queries.get(name);
  return reads.length > 0 ? runReport(reads.map((step) => steps[step]), sql, given, signal) : runSql(sql, given, signal);
}

/// The table without some of its columns.
export function without(data, names) {
  const kept = data.columns.map((_, index) => index).filter((index) => !names.includes(data.columns[index]));
  const cut = (row) => kept.map((index) => row[index]);
  return { ...data, columns: cut(data.columns), rows: data.rows.map(cut) };
}

/// The rows as objects.
export const objects = ({ columns, rows }) =>
  rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
