// The ledger itself: SQLite in a worker. It is started by the first question and asked one question at a time.
import engineText from 'engine-text';
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
let running = null;   // the question in the worker: {resolve, reject, columns, rows}
const waiting = [];

function receive({ data }) {
  if (data.columns) running.columns = data.columns;
  if (data.rows) for (const row of data.rows) running.rows.push(row);
  if (!data.done) return;
  const { resolve, reject, columns, rows } = running;
  running = null;
  if (data.error === undefined) resolve({ columns, rows, milliseconds: data.milliseconds, cut: data.cut });
  else reject(new Error(data.error));
  next();
}

function send(message) {
  return new Promise((resolve, reject) => {
    running = { resolve, reject, columns: [], rows: [] };
    worker.postMessage(message);
  });
}

// The slices are read one by one and handed over, so that never more than one of them is in this thread's memory.
async function open() {
  if (about.ledger.slices === 0) throw new Error(about.ledger.reason ?? 'The ledger is not in this site.');
  const address = URL.createObjectURL(new Blob([engineText], { type: 'text/javascript' }));
  const mine = (worker = new Worker(address));
  URL.revokeObjectURL(address);
  worker.onmessage = receive;
  const total = about.ledger.slices + 1;
  setStatus('loading', 0);
  mine.postMessage({ kind: 'module', text: await loadData('sqlite') });
  for (let slice = 0; slice < about.ledger.slices; ++slice) {
    setStatus('loading', (slice + 1) / total);
    mine.postMessage({ kind: 'slice', text: await loadData(`ledger.${slice}`) });
    if (mine !== worker) throw new Cancelled('stopped');
  }
  await send({ kind: 'open', bytes: about.ledger.bytes });
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
      if (opening === mine) opening = null;
      for (const one of waiting.splice(0)) one.reject(error);
      setStatus('idle');
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
