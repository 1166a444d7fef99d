// Runs SQL with named parameters, as reports/engine/query does in the program.

/// Calls `act` with each statement of the text, one after the other: a later one may need what an earlier one made.
function eachStatement({ sqlite3, db }, text, act) {
  if (text.includes('\0')) throw new Error('the SQL has a NUL character, where SQLite would stop reading');
  const { capi, wasm } = sqlite3;
  const scope = wasm.scopedAllocPush();
  try {
    const [start, length] = wasm.scopedAllocCString(text, true);
    const end = start + length;
    const made = wasm.scopedAllocPtr();
    const tail = wasm.scopedAllocPtr();
    for (let at = start; at < end; at = wasm.peekPtr(tail)) {
      db.checkRc(capi.sqlite3_prepare_v3(db.pointer, at, end - at, 0, made, tail));
      const statement = wasm.peekPtr(made);
      if (!statement) continue;   // blanks or a comment
      try {
        act(statement, wasm.cstrToJs(wasm.peekPtr(tail)).trim());
      } finally {
        capi.sqlite3_finalize(statement);
      }
    }
  } finally {
    wasm.scopedAllocPop(scope);
  }
}

// The wrapper of sqlite3_bind_text takes no text of JavaScript in this version of SQLite (it names a variable that is not there).
function bindText({ capi, wasm }, db, statement, index, value) {
  const [start, length] = wasm.allocCString(value, true);
  db.checkRc(capi.sqlite3_bind_text(statement, index, start, length, capi.SQLITE_WASM_DEALLOC));
}

function bind({ sqlite3, db }, statement, given) {
  const { capi } = sqlite3;
  const used = new Set();
  const total = capi.sqlite3_bind_parameter_count(statement);
  for (let index = 1; index <= total; ++index) {
    const parameter = capi.sqlite3_bind_parameter_name(statement, index);
    if (!parameter || parameter.startsWith('?')) throw new Error("parameters need names: ':name' instead of '?'");
    const name = parameter.slice(1);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) throw new Error(`no value is given for the parameter ${parameter}`);
    used.add(name);
    if (value === null) db.checkRc(capi.sqlite3_bind_null(statement, index));
    else if (Number.isInteger(value)) db.checkRc(capi.sqlite3_bind_int64(statement, index, BigInt(value)));
    else if (typeof value === 'number') db.checkRc(capi.sqlite3_bind_double(statement, index, value));
    else bindText(sqlite3, db, statement, index, value);
  }
  return used;
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const decoder = new TextDecoder();

// The functions of the module itself are called: their wrappers take ten times as long, and a result can have a million values. A value
// of more bytes than `most` says is its size, in words.
function columnReader({ capi, wasm }, statement, most) {
  const sqlite = wasm.exports;
  const bytes = (start, size) => wasm.heap8u().subarray(start, start + size);
  const sized = (column, kind, read) => {
    const size = sqlite.sqlite3_column_bytes(statement, column);
    return size > most[kind] ? `${kind} of ${size.toLocaleString('en')} bytes` : read(size);
  };
  return (column) => {
    switch (sqlite.sqlite3_column_type(statement, column)) {
      case capi.SQLITE_INTEGER: {
        const integer = sqlite.sqlite3_column_int64(statement, column);
        const number = Number(integer);
        return Number.isSafeInteger(number) ? number : integer;
      }
      case capi.SQLITE_FLOAT:
        return sqlite.sqlite3_column_double(statement, column);
      case capi.SQLITE_TEXT:
        return sized(column, 'text', (size) => decoder.decode(bytes(sqlite.sqlite3_column_text(statement, column), size)));
      case capi.SQLITE_BLOB:
        return sized(column, 'BLOB', (size) => hex(bytes(sqlite.sqlite3_column_blob(statement, column), size)));
      default:
        return null;
    }
  };
}

const rows_at_once = 2000;   // a message with more would hold up the page

// Gives {columns} and then {rows}, as often as needed, to `take`: a large result is never whole in this thread. Returns {cut}.
function fetch({ sqlite3, db }, statement, { most_rows = Infinity, most_bytes = {} }, take) {
  const { capi, wasm } = sqlite3;
  const width = capi.sqlite3_column_count(statement);
  const columns = Array.from({ length: width }, (_, column) => capi.sqlite3_column_name(statement, column));
  const value = columnReader(sqlite3, statement, most_bytes);
  take({ columns });
  let rows = [];
  for (let number = 0; ; ++number) {
    const result = wasm.exports.sqlite3_step(statement);
    if (result !== capi.SQLITE_ROW && result !== capi.SQLITE_DONE) db.checkRc(result);
    const is_last = result === capi.SQLITE_DONE || number === most_rows;
    if (is_last || rows.length === rows_at_once) {
      take({ rows });
      rows = [];
    }
    if (is_last) return { cut: result === capi.SQLITE_ROW };
    rows.push(columns.map((_, column) => value(column)));
  }
}

/// Runs statements that give no rows.
export function runSteps(ledger, text, given) {
  eachStatement(ledger, text, (statement) => {
    bind(ledger, statement, given);
    fetch(ledger, statement, {}, () => {});
  });
}

/// Runs one statement, gives {columns} and {rows} to `take`, and returns {cut}. With `exact` it must use all that is given. `limits`:
/// {most_rows, most_bytes}; of a value with more bytes it gives the size.
export function runQuery(ledger, text, given, take, { exact = false, ...limits } = {}) {
  let answer = null;
  eachStatement(ledger, text, (statement, rest) => {
    if (answer) return;
    if (rest !== '' && !/^(;|\s|--[^\n]*(\n|$)|\/\*.*?\*\/)*$/s.test(rest)) throw new Error('one statement at a time');
    const used = bind(ledger, statement, given);
    const unused = exact && Object.keys(given).find((name) => !used.has(name));
    if (unused) throw new Error(`the SQL has no parameter :${unused}`);
    answer = fetch(ledger, statement, limits, take);
  });
  if (!answer) throw new Error('the SQL has no statement');
  return answer;
}
