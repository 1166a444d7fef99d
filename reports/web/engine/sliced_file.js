// A file of which only some slices are there, as SQLite reads it: a VFS (https://sqlite.org/vfs.html) of one file that nobody writes to.
// SQLite can't wait for a slice. Where one is missing the read fails, and `missing` names it; whoever asked asks again when it is there.

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
