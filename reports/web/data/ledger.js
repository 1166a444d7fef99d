// The ledger itself: SQLite in a worker. It is started by the first question and asked one question at a time. The worker reads slices of
// the ledger, which this loads for it: a worker of a page from the disk can't read files.
import down_sql from '../queries/walk/down.sql';
import up_sql from '../queries/walk/up.sql';
import { bytesOf, refused_by_policy, unpack } from './files.js';
import { about, loadData } from './site.js';

// Slices of the ledger are files of data, a thousand in a folder. Another one has their names.
const at_once = 16;
const in_folder = 1000;
const digits = 16;       // of a digest
let loaded = 0;
let digests = null;      // the promise of the text that has those of all slices

async function loadSlice(number) {
  digests ??= loadData('ledger', about.ledger.digest);
  const start = number * digits;
  return loadData(`ledger/${Math.floor(number / in_folder)}/${number}`, (await digests).slice(start, start + digits));
}

/// Gives each to `take`, with its number. Several are on their way at once.
async function loadSlices(numbers, take) {
  const rest = numbers.values();
  const loadRest = async () => {
    for (const number of rest) {
      const text = await loadSlice(number);
      ++loaded;
      take(number, bytesOf(text));
    }
  };
  await Promise.all(Array.from({ length: Math.min(at_once, numbers.length) }, loadRest));
}

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
let starts = 0;       // a stop makes what was started before void
let opening = null;   // the promise of the open ledger
let running = null;   // the question in the worker: {resolve, reject, columns, rows, texts}
const waiting = [];
const first_slices = 8;      // every question needs the schema, which is in them
const slices_to_show = 16;   // so many at once are worth to say that they are loaded

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

// What the question answered before is void: it is asked again from its start.
async function loadMissing(numbers) {
  const mine = worker;
  running.columns = [];
  running.rows = [];
  try {
    await loadSlices(numbers, (number, bytes) => {
      if (mine !== worker) throw new Cancelled('stopped');
      mine.postMessage({ kind: 'slice', number, bytes }, [bytes.buffer]);
      if (numbers.length >= slices_to_show) setStatus('loading', Math.min(1, loaded / about.ledger.slices));
    });
    mine.postMessage({ kind: 'loaded' });
  } catch (error) {
    mine.postMessage({ kind: 'loaded', error: error.message });
  }
  if (mine === worker) setStatus('running');
}

function receive({ data }) {
  if (data.missing) {
    loadMissing(data.missing);
    return;
  }
  if (data.columns) running.columns = data.columns;
  if (data.rows) for (const row of data.rows) running.rows.push(share(row, running.texts));
  if (!data.done) return;
  const { resolve, reject, columns, rows } = running;
  running = null;
  if (data.error === undefined) resolve({ columns, rows, milliseconds: data.milliseconds, cut: data.cut });
  else reject(new Error(data.error));
  next();
}

let is_refused = false;
document.addEventListener('securitypolicyviolation', ({ blockedURI }) => { is_refused ||= blockedURI.startsWith('blob'); });

// A worker that can't be started says nothing more.
function fail(which) {
  if (which !== worker) return;
  endWith(new Error(is_refused ? refused_by_policy : 'This browser does not run the worker that reads the ledger.'));
}

async function open() {
  if (about.ledger.slices === 0) throw new Error(about.ledger.reason ?? 'The ledger is not in this site.');
  const started = starts;
  setStatus('loading', 0);
  const first = [];
  const numbers = Array.from({ length: Math.min(first_slices, about.ledger.slices) }, (_, number) => number);
  const [{ engine, module }] = await Promise.all([loadData('sqlite'), loadSlices(numbers, (...slice) => first.push(slice))]);
  const text = await unpack(bytesOf(engine)).text();
  if (started !== starts) throw new Cancelled('stopped');
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const mine = (worker = new Worker(address));
  URL.revokeObjectURL(address);
  worker.onmessage = receive;
  worker.onerror = () => fail(mine);
  const { bytes, page_size, pages_of_slice } = about.ledger;
  mine.postMessage({ kind: 'begin', module, size: bytes, bytes_of_slice: page_size * pages_of_slice });
  for (const [number, slice] of first) mine.postMessage({ kind: 'slice', number, bytes: slice }, [slice.buffer]);
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
  running = { resolve, reject, columns: [], rows: [], texts: new Map() };
  worker.postMessage(message);
}

function ask(message, signal) {
  return new Promise((resolve, reject) => {
    waiting.push({ message, signal, resolve, reject });
    opening ??= open();
    const mine = opening;
    mine.then(next, (error) => {
      if (opening === mine) endWith(error);   // else it was stopped: those who wait now are others
    });
  });
}

// Stops what runs and what waits, of which all get this error. The next question loads the ledger again.
function endWith(error) {
  worker?.terminate();
  ++starts;
  loaded = 0;       // slices are gone with the worker that had them
  worker = opening = digests = null;   // or its loading may have failed
  const stopped = [running, ...waiting.splice(0)];
  running = null;
  for (const one of stopped) one?.reject(error);
  setStatus('idle');
}

export const stop = () => endWith(new Cancelled('stopped'));

/// Runs a canned report: its steps and its SQL with `given` bound. Gives {columns, rows, milliseconds, cut}.
export const runReport = (steps, sql, given, signal) => ask({ kind: 'report', steps, sql, given }, signal);

/// Runs one statement of the user, which can only read. `given` is bound where it is used.
export const runSql = (sql, given, signal) => ask({ kind: 'sql', sql, given }, signal);

// Follows dependencies from build to build. Each round asks the ledger once, for all that the round before found.
const idsFrom = async (sql, given, spec_ids, signal) =>
  (await runReport([], sql, { ...given, specs: JSON.stringify(spec_ids) }, signal)).rows.map(([spec_id]) => spec_id);

async function reached(direct, starts) {
  const met = new Set(starts);
  for (let round = [...met]; round.length > 0;) {
    round = (await direct(round)).filter((spec_id) => !met.has(spec_id));
    for (const spec_id of round) met.add(spec_id);
  }
  return [...met];
}

/// The builds, and all that they need: to link or to run if `deep` is 'runtime', for anything if it is 'all', nothing if it is 'none'.
export const withDependencies = (spec_ids, deep, signal) => reached((round) => idsFrom(down_sql, { deep }, round, signal), spec_ids);

/// What needs the builds directly, to build, link or run.
export const directDependents = (spec_ids, signal) => idsFrom(up_sql, {}, spec_ids, signal);

/// The builds, and all that needs them to build, link or run.
export const withDependents = (spec_ids, signal) => reached((round) => directDependents(round, signal), spec_ids);
