// What the SQLite of the site's WebAssembly, which is newer than that of Debian, makes of queries.
//
//   node newest_sqlite.mjs MODULES LEDGER < QUESTIONS
//
// QUESTIONS are JSON: [{sql, before: [SQL that makes temporary tables], given: {":name": value}}]. The answer is JSON: {plan, code, error}
// for each, the rows of EXPLAIN QUERY PLAN and of EXPLAIN.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, ledger] = process.argv.slice(2);
const folder = path.join(modules, '@sqlite.org/sqlite-wasm');
const about = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
const { default: start } = await import(pathToFileURL(path.join(folder, about.exports?.['.']?.node ?? about.main)).href);
const sqlite3 = await start({ print: () => {}, printErr: () => {} });
const { capi, wasm } = sqlite3;
const db = new sqlite3.oo1.DB(':memory:');
const bytes = new Uint8Array(fs.readFileSync(ledger));
const writable = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
db.checkRc(capi.sqlite3_deserialize(db.pointer, 'main', wasm.allocFromTypedArray(bytes), bytes.length, bytes.length, writable));
db.exec('ANALYZE sqlite_schema');

function rows(sql, given) {
  const statement = db.prepare(sql);
  try {
    for (const [name, value] of Object.entries(given)) {
      if (statement.getParamIndex(name) !== undefined) statement.bind(name, value);
    }
    const found = [];
    while (statement.step()) found.push(statement.get([]));
    return found;
  } finally {
    statement.finalize();
  }
}

function answer({ sql, before, given }) {
  db.exec('BEGIN');
  try {
    for (const one of before) db.exec(one);
    return { plan: rows(`EXPLAIN QUERY PLAN ${sql}`, given), code: rows(`EXPLAIN ${sql}`, given), error: '' };
  } catch (error) {
    return { plan: [], code: [], error: error.message };
  } finally {
    db.exec('ROLLBACK');
  }
}

console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, 'utf8')).map(answer)));
