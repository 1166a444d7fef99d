// The rows of canned reports, wherever they come from: the results in the site, else the ledger.
import { about, queries, reports, steps } from './site.js';
import { resultKey, rowsOf, writtenResult } from './results.js';
import { runReport, runSql } from './ledger.js';
import { pivot } from './pivot.js';

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
export function commandOf({ name, parameters }, args) {
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

/// How many rows it has, where that is known before it is asked for.
export const knownRows = (name, given) => rowsOf(name, complete(reports.get(name), given));

/// The table without some of its columns.
export function without(data, names) {
  const kept = data.columns.map((_, index) => index).filter((index) => !names.includes(data.columns[index]));
  const cut = (row) => kept.map((index) => row[index]);
  return { ...data, columns: cut(data.columns), rows: data.rows.map(cut) };
}

/// The rows as objects.
export const objects = ({ columns, rows }) =>
  rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
