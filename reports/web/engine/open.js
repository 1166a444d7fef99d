// Starts SQLite over the slices of the ledger.
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { bytesOf } from '../data/base64.js';
import { unpack } from '../data/unpack.js';
import { refused_by_policy } from './policy.js';
import { installSlicedFile, openSlicedFile } from './sliced_file.js';

const silent = () => {};

/// `module` is base64 of gzip.
export async function startSqlite(module, file) {
  const wasmBinary = await unpack(bytesOf(module)).arrayBuffer();
  const sqlite3 = await sqlite3InitModule({ wasmBinary, locateFile: (name) => name, print: silent, printErr: silent }).catch((error) => {
    throw /Content Security Policy|CSP/.test(error.message) ? new Error(refused_by_policy) : error;
  });
  sqlite3.config.warn = sqlite3.config.error = silent;   // errors go to the page, not to the console
  installSlicedFile(sqlite3, file);
  return sqlite3;
}

/// Opens the ledger, and reads its schema and statistics: SQLite goes on without statistics that it can't read.
export function openLedger(sqlite3, file) {
  const db = openSlicedFile(sqlite3);
  try {
    db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; SELECT 1 FROM sqlite_schema');
  } finally {
    if (file.missing !== null) db.close();
  }
  if (file.missing !== null) throw new Error('a slice is missing');
  return { sqlite3, db };
}
