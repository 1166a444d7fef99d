// Opens the ledger in memory from its slices, as they come.
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { bytesOf } from '../data/base64.js';

const silent = () => {};

async function startSqlite(module) {
  const unzipped = new Blob([bytesOf(module)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const wasmBinary = await new Response(unzipped).arrayBuffer();
  const sqlite3 = await sqlite3InitModule({ wasmBinary, locateFile: (name) => name, print: silent, printErr: silent });
  sqlite3.config.warn = sqlite3.config.error = silent;   // errors go to the page, not to the console
  return sqlite3;
}

// The bytes go straight into SQLite's memory, piece by piece: the database is there only once.
async function place({ wasm }, stream, size) {
  const start = wasm.alloc(size);
  let at = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > size) throw new Error('the ledger of this site is longer than about.js says');
    wasm.heap8u().set(value, start + at);
    at += value.length;
  }
  if (at !== size) throw new Error('the ledger of this site is cut off');
  return start;
}

function openAt(sqlite3, start, size) {
  const { capi } = sqlite3;
  const db = new sqlite3.oo1.DB(':memory:');
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY;
  db.checkRc(capi.sqlite3_deserialize(db.pointer, 'main', start, size, size, flags));
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096');   // the database is in memory already
  return { sqlite3, db };
}

/// `module` is base64 of gzip; `size` is that of the database. Takes slices of its gzip form with add(bytes); finish() gives {sqlite3, db}.
export class LedgerReader {
  constructor(module, size) {
    const unzip = new DecompressionStream('gzip');
    this.writer = unzip.writable.getWriter();
    this.opened = startSqlite(module).then(async (sqlite3) => openAt(sqlite3, await place(sqlite3, unzip.readable, size), size));
    this.opened.catch(silent);   // finish() tells
  }

  add(bytes) {
    this.writer.write(bytes).catch(silent);
  }

  finish() {
    this.writer.close().catch(silent);
    return this.opened;
  }
}
