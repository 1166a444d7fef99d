// Opens the ledger in memory from the texts of its slices.
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

const unzipped = (parts) => new Blob(parts).stream().pipeThrough(new DecompressionStream('gzip'));

// The bytes go straight into SQLite's memory, piece by piece: the database is there only once.
async function place({ wasm }, parts, size) {
  const start = wasm.alloc(size);
  let at = 0;
  const reader = unzipped(parts).getReader();
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

/// `module` and `slices` are base64 of gzip; `size` is that of the database. Gives {sqlite3, db}.
export async function openLedger(module, slices, size) {
  const wasmBinary = await new Response(unzipped([bytesOf(module)])).arrayBuffer();
  const silent = () => {};
  const sqlite3 = await sqlite3InitModule({ wasmBinary, locateFile: (name) => name, print: silent, printErr: silent });
  sqlite3.config.warn = sqlite3.config.error = silent;   // errors go to the page, not to the console
  const { capi } = sqlite3;
  const db = new sqlite3.oo1.DB(':memory:');
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
  const start = await place(sqlite3, slices.map(bytesOf), size);
  db.checkRc(capi.sqlite3_deserialize(db.pointer, 'main', start, size, size, flags));
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384');
  return { sqlite3, db };
}
