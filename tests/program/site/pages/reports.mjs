// Every canned report in the page gives the rows of the program.
import assert from 'node:assert/strict';

/// Arguments by which a report is asked of the ledger, not of the results that came with the site.
function otherArguments(report) {
  const given = {};
  for (const { name } of report.parameters) {
    if (name === 'package') given.package = '?*';
    if (name === 'spec') given.spec = 'zlib';
  }
  return given;
}

const flags = (given) => Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);

// The program's rows are objects; a result without rows does not tell its columns.
const objects = ({ columns, rows }) => rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));

const hasResult = (about, { name }) => about.results.some((result) => result.report === name);

async function compare(site, report, given, { about, program }) {
  const snapshots = Object.fromEntries(report.parameters.filter((one) => one.type === 'snapshot')
    .map(({ name }) => [name, about[name]]));
  const answer = await site.page.evaluate(([name, args]) => globalThis.cacheledger.report(name, args).catch((error) => ({ command: error.command })),
    [report.name, { ...snapshots, ...given }]);
  if (answer.command) {   // what follows dependencies is there for the snapshots of the site
    const is_known = hasResult(about, report);
    assert.ok(report.reads.length > 0 && (!is_known || Object.keys(given).length > 0), report.name);
    assert.ok(answer.command.startsWith(`cacheledger report ${report.name} `), answer.command);
    return true;
  }
  if (answer.missing) {
    assert.equal(snapshots[answer.missing] ?? null, null);
    return false;
  }
  assert.deepEqual(objects(answer), program('report', report.name, ...flags({ ...snapshots, ...given })), report.name);
  return true;
}

export async function compareReports(site, known) {
  let compared = 0;
  for (const report of known.reports) {
    compared += await compare(site, report, {}, known);
    compared += await compare(site, report, otherArguments(report), known);
  }
  assert.ok(compared >= known.reports.length, `only ${compared} compared`);
}
