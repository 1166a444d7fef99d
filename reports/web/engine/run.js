// Runs SQL with named parameters, as reports/engine/query does in the program, over a file of which only some slices are there.

/// A file of which only some slices are there, as SQLite reads it: a VFS (https://sqlite.org/vfs.html) of one file that nobody writes to.
/// SQLite can't wait for a slice. Where one is missing the read fails, and `missing` names it; whoever asked asks again when it is there.
export class SlicedFile {
  /// `size` is that of the file, `bytes_of_slice` that of every slice but the last; both are whole pages of the database.
  constructor(size, bytes_of_slice) {
    this.size = size;
    this.bytes_of_slice = bytes_of_slice;
    this.slices = new Array(Math.ceil(size / bytes_of_slice));
    this.missing = null;
  }

  add(number, bytes) {
    const { size, bytes_of_slice } = this;
    if (bytes.length !== Math.min(bytes_of_slice, size - number * bytes_of_slice)) {
      throw new Error(`slice ${number} of the ledger is not as long as about.js says`);
    }
    this.slices[number] = bytes;
  }

  /// A read never crosses the end of a slice: SQLite reads the header, and pages.
  read(offset, length) {
    const number = Math.floor(offset / this.bytes_of_slice);
    const slice = this.slices[number];
    if (slice === undefined) {
      this.missing ??= number;
      return null;
    }
    const start = offset - number * this.bytes_of_slice;
    return slice.subarray(start, start + length);
  }
}

const done = () => 0;
const name = 'slices';

/// Makes the file known to SQLite.
export function installSlicedFile(sqlite3, file) {
  const { capi, wasm } = sqlite3;
  const methods = new capi.sqlite3_io_methods();
  methods.$iVersion = 1;
  const vfs = new capi.sqlite3_vfs();
  const usual = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null));
  vfs.$iVersion = 1;
  vfs.$szOsFile = capi.sqlite3_file.structInfo.sizeof;
  vfs.$mxPathname = usual.$mxPathname;
  for (const what of ['$xRandomness', '$xSleep', '$xCurrentTime']) vfs[what] = usual[what];
  usual.dispose();
  sqlite3.vfs.installVfs({
    io: {
      struct: methods,
      methods: {
        xClose: done, xTruncate: () => capi.SQLITE_READONLY, xWrite: () => capi.SQLITE_READONLY, xSync: done, xLock: done, xUnlock: done,
        xRead(_, place, length, offset) {
          const bytes = file.read(Number(offset), length);
          if (bytes === null) return capi.SQLITE_IOERR_READ;
          wasm.heap8u().set(bytes, place);
          return bytes.length === length ? 0 : capi.SQLITE_IOERR_SHORT_READ;
        },
        xFileSize(_, place) {
          wasm.poke(place, file.size, 'i64');
          return 0;
        },
        xCheckReservedLock(_, place) {
          wasm.poke32(place, 0);
          return 0;
        },
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xSectorSize: () => 4096,
        xDeviceCharacteristics: () => capi.SQLITE_IOCAP_IMMUTABLE,
      },
    },
    vfs: {
      struct: vfs,
      name,
      methods: {
        xOpen(_, path, opened, flags, flags_out) {
          if (!(flags & capi.SQLITE_OPEN_MAIN_DB)) return capi.SQLITE_CANTOPEN;
          const place = new capi.sqlite3_file(opened);
          place.$pMethods = methods.pointer;
          place.dispose();
          if (flags_out) wasm.poke32(flags_out, capi.SQLITE_OPEN_READONLY);
          return 0;
        },
        xDelete: () => capi.SQLITE_IOERR_DELETE,
        xAccess(_, path, flags, place) {
          wasm.poke32(place, 0);
          return 0;
        },
        xFullPathname: (_, path, length, place) => (wasm.cstrncpy(place, path, length) < length ? 0 : capi.SQLITE_CANTOPEN),
      },
    },
  });
}

/// Opens the file as a database. It is immutable, so SQLite looks for no journal and takes no lock.
export const openSlicedFile = (sqlite3) => new sqlite3.oo1.DB({ filename: 'file:ledger?immutable=1', flags: 'r', vfs: name });

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
