// SQLite over the ledger, in a worker. It takes {kind: 'begin', module, size, bytes_of_slice}, and {kind: 'report' | 'sql', ...}. To these
// two it answers with {columns}, {rows} as often as needed, and {done, error, milliseconds, cut}. It reads the ledger in slices: where one
// is missing it says {missing: numbers}, is given {kind: 'slice', number, bytes} for each and {kind: 'loaded', error} after them, and
// asks the same question again. What it answered before is void then.
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { bytesOf, refused_by_policy, unpack } from '../data/files.js';
import { installSlicedFile, openSlicedFile, runQuery, runSteps, SlicedFile } from './run.js';

// What several reports over one pair of snapshots read is worked out once, in temporary tables and views that hide those of the ledger. A
// question that asks for no steps reads the ledger's own, so the views are taken away for it, and put back later.
const done_steps = new Map();   // from the text of a step to the values that it was run with
let hidden = [];          // the statements that make the views again

// Values of the parameters that the text names.
const valuesFor = (text, given) =>
  JSON.stringify([...new Set(text.match(/:[a-z_]+/g))].map((name) => [name, given[name.slice(1)] ?? null]));

/// Takes the views away.
function hideSteps({ db }) {
  for (const { name, sql } of db.selectObjects("SELECT name, sql FROM temp.sqlite_schema WHERE type = 'view'")) {
    hidden.push(sql.replace(/^CREATE( TEMP)? VIEW/, 'CREATE TEMP VIEW'));
    db.exec(`DROP VIEW temp."${name}"`);
  }
}

/// Runs the steps that have not been run with these values. A step reads what those before it made.
function prepareSteps(ledger, steps, given) {
  for (const sql of hidden.splice(0)) ledger.db.exec(sql);
  let is_new = false;
  for (const [place, text] of steps.entries()) {
    const values = valuesFor(text, given);
    if (!is_new && done_steps.get(text) === values) continue;
    is_new = true;
    // What is made of older steps is void.
    for (const other of done_steps.keys()) if (!steps.slice(0, place).includes(other)) done_steps.delete(other);
    runSteps(ledger, text, given);
    done_steps.set(text, values);
  }
}

// Which slices to load when one is missing: a question is asked again for each miss, so the misses of one question must be few; and a
// question that needs little must load little.
const misses_alone = 16;     // so many scattered misses load one slice each: more than the questions of a package or build have
const misses_to_double = 4;  // then every fourth miss doubles what is loaded
const most_misses = 64;      // then everything is

class ReadAhead {
  constructor() {
    this.misses = 0;
    this.runs = new Map();   // the slice behind each run that was loaded, and the length of the run
  }

  /// The numbers of the slices to load, of which the first is `missing`. A scan that goes on behind a run has twice as many each time.
  after(missing, slices) {
    ++this.misses;
    const scattered = this.misses > most_misses ? slices.length : 2 ** Math.max(0, Math.ceil((this.misses - misses_alone) / misses_to_double));
    const length = Math.max(scattered, 2 * (this.runs.get(missing) ?? 0));
    this.runs.delete(missing);
    const wanted = [];
    let number = this.misses > most_misses ? 0 : missing;
    for (; number < slices.length && wanted.length < length; ++number) {
      if (slices[number] === undefined) wanted.push(number);
    }
    this.runs.set(number, length);
    return wanted;
  }
}

const silent = () => {};

/// `module` is base64 of gzip.
async function startSqlite(module, file) {
  const wasmBinary = await unpack(bytesOf(module)).arrayBuffer();
  const sqlite3 = await sqlite3InitModule({ wasmBinary, locateFile: (name) => name, print: silent, printErr: silent }).catch((error) => {
    throw /Content Security Policy|CSP/.test(error.message) ? new Error(refused_by_policy) : error;
  });
  sqlite3.config.warn = sqlite3.config.error = silent;   // errors go to the page, not to the console
  installSlicedFile(sqlite3, file);
  return sqlite3;
}

/// Opens the ledger, and reads its schema and statistics: SQLite goes on without statistics that it can't read.
function openLedger(sqlite3, file) {
  const db = openSlicedFile(sqlite3);
  try {
    db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; SELECT 1 FROM sqlite_schema');
  } finally {
    if (file.missing !== null) db.close();
  }
  if (file.missing !== null) throw new Error('a slice is missing');
  return { sqlite3, db };
}

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
