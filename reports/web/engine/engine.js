// SQLite over the ledger, in a worker. It takes {kind: 'begin', module, size, bytes_of_slice}, and {kind: 'report' | 'sql', ...}. To these
// two it answers with {columns}, {rows} as often as needed, and {done, error, milliseconds, cut}. It reads the ledger in slices: where one
// is missing it says {missing: numbers}, is given {kind: 'slice', number, bytes} for each and {kind: 'loaded', error} after them, and
// asks the same question again. What it answered before is void then.
import { unpack } from '../data/unpack.js';
import { openLedger, startSqlite } from './open.js';
import { runQuery } from './run.js';
import { SlicedFile } from './sliced_file.js';
import { hideSteps, prepareSteps } from './steps.js';
import { ReadAhead } from './wanted.js';

const limits = { most_rows: 50000, most_bytes: { BLOB: 10000, text: 1000000 } };   // of an answer to SQL, and of its values

let file = null;
let started = null;          // the promise of SQLite
let unpacked = [];           // promises: the slices that are on their way
let loaded = null;           // called when those that were missing are there
let ledger = null;

function answer(message, sqlite3) {
  ledger ??= openLedger(sqlite3, file);
  if (message.kind === 'report') {
    if (message.steps.length === 0) hideSteps(ledger);
    else prepareSteps(ledger, message.steps, message.given);
    return runQuery(ledger, message.sql, message.given, postMessage, { exact: true });
  }
  hideSteps(ledger);
  ledger.db.exec('PRAGMA query_only = 1');
  try {
    return runQuery(ledger, message.sql, message.given, postMessage, limits);
  } finally {
    ledger.db.exec('PRAGMA query_only = 0');
  }
}

/// What `act` returns when nothing that it reads is missing.
async function withSlices(act) {
  const ahead = new ReadAhead();
  for (;;) {
    await Promise.all(unpacked.splice(0));
    file.missing = null;
    try {
      const result = act();
      if (file.missing === null) return result;
    } catch (error) {
      if (file.missing === null) throw error;
    }
    const there = new Promise((resolve, reject) => {
      loaded = (error) => (error === undefined ? resolve() : reject(new Error(error)));
    });
    postMessage({ missing: ahead.after(file.missing, file.slices) });
    await there;
  }
}

async function addSlice(number, bytes) {
  file.add(number, new Uint8Array(await unpack(bytes).arrayBuffer()));
}

async function ask(message) {
  const since = performance.now();
  try {
    const sqlite3 = await started;
    const { cut } = await withSlices(() => answer(message, sqlite3));
    postMessage({ done: true, cut, milliseconds: performance.now() - since });
  } catch (error) {
    postMessage({ done: true, error: error.message.replace(/^SQLITE_\w+: sqlite3 result code \d+: /, '') });
  }
}

onmessage = ({ data: message }) => {
  if (message.kind === 'begin') {
    file = new SlicedFile(message.size, message.bytes_of_slice);
    started = startSqlite(message.module, file);
    started.catch(() => {});   // the question tells
  } else if (message.kind === 'slice') {
    const slice = addSlice(message.number, message.bytes);
    slice.catch(() => {});     // likewise
    unpacked.push(slice);
  } else if (message.kind === 'loaded') {
    loaded(message.error);
  } else {
    ask(message);
  }
};
