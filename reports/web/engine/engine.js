// SQLite over the ledger, in a worker. It takes {kind: 'module' | 'slice', text} and {kind: 'open' | 'report' | 'sql', ...}. To the last
// three it answers with {columns}, {rows} as often as needed, and {done, error, milliseconds, cut}.
import { openLedger } from './open.js';
import { runSteps, runQuery } from './run.js';

const most_rows = 50000;     // of an answer to SQL
const rows_at_once = 2000;   // a message with more would hold up the page

let module = null;
const slices = [];
let ledger = null;
let steps_done = '';         // the steps whose temporary tables are there, with their arguments

function post({ columns, rows, cut }, since) {
  postMessage({ columns });
  for (let row = 0; row < rows.length; row += rows_at_once) {
    postMessage({ rows: rows.slice(row, row + rows_at_once) });
  }
  postMessage({ done: true, cut, milliseconds: performance.now() - since });
}

// A pair's drift is worked out once for all reports over it.
function prepare(steps, given) {
  const asked = JSON.stringify([steps, given.from, given.to, given.stack, given.package]);
  if (steps.length === 0 || asked === steps_done) return;
  steps_done = '';
  for (const text of steps) runSteps(ledger, text, given);
  steps_done = asked;
}

function forgetSteps() {
  steps_done = '';
  ledger.db.exec('DROP VIEW IF EXISTS temp.spec_reasons; DROP VIEW IF EXISTS temp.stack_drift');
}

async function answer(message) {
  if (message.kind === 'open') {
    ledger = await openLedger(module, slices.splice(0), message.bytes);
    return { columns: [], rows: [] };
  }
  if (message.kind === 'report') {
    if (message.steps.length === 0) forgetSteps();
    prepare(message.steps, message.given);
    return runQuery(ledger, message.sql, message.given, { exact: true });
  }
  forgetSteps();
  ledger.db.exec('PRAGMA query_only = 1');
  try {
    return runQuery(ledger, message.sql, message.given, { most_rows });
  } finally {
    ledger.db.exec('PRAGMA query_only = 0');
  }
}

onmessage = async ({ data: message }) => {
  if (message.kind === 'module') {
    module = message.text;
  } else if (message.kind === 'slice') {
    slices.push(message.text);
  } else {
    const since = performance.now();
    try {
      post(await answer(message), since);
    } catch (error) {
      postMessage({ done: true, error: error.message.replace(/^SQLITE_\w+: sqlite3 result code \d+: /, '') });
    }
  }
};
