// The ledger itself: SQLite in a worker. It is started by the first question and asked one question at a time.
import engineText from 'engine-text';
import { bytesOf } from './base64.js';
import { about, loadData } from './site.js';

/// Thrown by a question that was stopped, or that nobody waits for any more.
export class Cancelled extends Error {}

/// What the status line shows: {state: 'idle' | 'loading' | 'running', part: 0 to 1 while loading}.
const listeners = new Set();
let status = { state: 'idle', part: 0 };

export function onStatus(listener) {
  listeners.add(listener);
  listener(status);
}

function setStatus(state, part = 0) {
  status = { state, part };
  for (const listener of listeners) listener(status);
}

let worker = null;
let opening = null;   // the promise of the open ledger
let running = null;   // the question in the worker: {resolve, reject, columns, rows, texts}
const waiting = [];

// Equal texts of a result are one text: they are most of its memory.
function share(row, texts) {
  for (let index = 0; index < row.length; ++index) {
    const value = row[index];
    if (typeof value !== 'string') continue;
    const known = texts.get(value);
    if (known === undefined) texts.set(value, value);
    else row[index] = known;
  }
  return row;
}

function receive({ data }) {
  if (data.columns) running.columns = data.columns;
  if (data.rows) for (const row of data.rows) running.rows.push(share(row, running.texts));
  if (!data.done) return;
  const { resolve, reject, columns, rows } = running;
  running = null;
  if (data.error === undefined) resolve({ columns, rows, milliseconds: data.milliseconds, cut: data.cut });
  else reject(new Error(data.error));
  opening?.then(next, () => {});   // not if it was the opening that failed
}

// A worker that can't be started says nothing more.
function fail(which) {
  if (which !== worker) return;
  const error = new Error('This browser does not run the worker that reads the ledger.');
  for (const one of [running, ...waiting.splice(0)]) one?.reject(error);
  stop();
}

function send(message) {
  return new Promise((resolve, reject) => {
    running = { resolve, reject, columns: [], rows: [], texts: new Map() };
    worker.postMessage(message);
  });
}

// The slices are read one by one and handed over, so that never more than one of them is in this thread's memory. They are sent as
// bytes, which are not copied.
async function open() {
  if (about.ledger.slices === 0) throw new Error(about.ledger.reason ?? 'The ledger is not in this site.');
  const address = URL.createObjectURL(new Blob([engineText], { type: 'text/javascript' }));
  const mine = (worker = new Worker(address));
  URL.revokeObjectURL(address);
  worker.onmessage = receive;
  worker.onerror = () => fail(mine);
  const total = about.ledger.slices + 1;
  setStatus('loading', 0);
  mine.postMessage({ kind: 'begin', module: await loadData('sqlite'), size: about.ledger.bytes });
  for (let slice = 0; slice < about.ledger.slices; ++slice) {
    setStatus('loading', (slice + 1) / total);
    const bytes = bytesOf(await loadData(`ledger.${slice}`));
    if (mine !== worker) throw new Cancelled('stopped');
    mine.postMessage({ kind: 'slice', bytes }, [bytes.buffer]);
  }
  await send({ kind: 'open' });
}

function next() {
  while (waiting.length > 0 && waiting[0].signal?.aborted) {
    waiting.shift().reject(new Cancelled('not asked any more'));
  }
  if (running || waiting.length === 0) {
    if (!running) setStatus('idle');
    return;
  }
  const { message, resolve, reject } = waiting.shift();
  setStatus('running');
  send(message).then(resolve, reject);
}

function ask(message, signal) {
  return new Promise((resolve, reject) => {
    waiting.push({ message, signal, resolve, reject });
    opening ??= open();
    const mine = opening;
    mine.then(next, (error) => {
      if (opening !== mine) return;   // it was stopped: those who wait now are others
      for (const one of waiting.splice(0)) one.reject(error);
      stop();
    });
  });
}

/// Stops what runs and what waits. The next question loads the ledger again.
export function stop() {
  worker?.terminate();
  worker = opening = null;
  const stopped = [running, ...waiting.splice(0)];
  running = null;
  for (const one of stopped) one?.reject(new Cancelled('stopped'));
  setStatus('idle');
}

/// Runs a canned report: its steps and its SQL with `given` bound. Gives {columns, rows, milliseconds, cut}.
export const runReport = (steps, sql, given, signal) => ask({ kind: 'report', steps, sql, given }, signal);

/// Runs one statement of the user, which can only read. `given` is bound where it is used.
export const runSql = (sql, given, signal) => ask({ kind: 'sql', sql, given }, signal);
