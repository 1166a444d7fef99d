// SQLite over the ledger, in a worker. It takes {kind: 'begin', module, size}, {kind: 'slice', bytes} and {kind: 'open' | 'report' | 'sql',
// ...}. To the last three it answers with {columns}, {rows} as often as needed, and {done, error, milliseconds, cut}.
import { LedgerReader } from './open.js';
import { runSteps, runQuery } from './run.js';

const most_rows = 50000;     // of an answer to SQL

let reader = null;
let ledger = null;
let steps_done = '';         // the steps whose temporary tables are there, with their arguments

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
    ledger = await reader.finish();
    reader = null;
    return { cut: false };
  }
  if (message.kind === 'report') {
    if (message.steps.length === 0) forgetSteps();
    prepare(message.steps, message.given);
    return runQuery(ledger, message.sql, message.given, postMessage, { exact: true });
  }
  forgetSteps();
  ledger.db.exec('PRAGMA query_only = 1');
  try {
    return runQuery(ledger, message.sql, message.given, postMessage, { most_rows });
  } finally {
    ledger.db.exec('PRAGMA query_only = 0');
  }
}

onmessage = async ({ data: message }) => {
  if (message.kind === 'begin') {
    reader = new LedgerReader(message.module, message.size);
  } else if (message.kind === 'slice') {
    reader.add(message.bytes);
  } else {
    const since = performance.now();
    try {
      const { cut } = await answer(message);
      postMessage({ done: true, cut, milliseconds: performance.now() - since });
    } catch (error) {
      postMessage({ done: true, error: error.message.replace(/^SQLITE_\w+: sqlite3 result code \d+: /, '') });
    }
  }
};
