#!/bin/sh
# round(1.005, 2) is 1.01 in SQLite up to 3.42 and 1.0 from 3.43 on; so are 4.35 and 0.35 to one digit, and printf('%.2f'). The number
# nearest to 1.005 that a double can hold is a little less: later SQLites round that, earlier ones its first 16 decimal digits. So one
# file gives two percentages, 201 of 20,000 being 1.01 % or 1.0 %, on Debian 12 (3.40) and 13 (3.46). With
# integers a and b, (20000 * a + b) / (2 * b) / 100.0 is a percentage that all round half up.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit before@npm:@sqlite.org/sqlite-wasm@3.42.0-build4 after@npm:@sqlite.org/sqlite-wasm@3.43.0-build3

cat > ask.mjs <<'JS'
globalThis.self = globalThis;  // these releases expect a browser's
globalThis.location = { href: "file:///" };
console.warn = () => {};
for (const name of ["before", "after"]) {
  const { default: start } = await import(`./node_modules/${name}/sqlite-wasm/jswasm/sqlite3-node.mjs`);
  const db = new (await start()).oo1.DB(":memory:");
  const sql = "SELECT sqlite_version(), round(1.005, 2), round(4.35, 1), round(100.0 * 201 / 20000, 2), (20000 * 201 + 20000) / (2 * 20000) / 100.0";
  console.log(db.exec({ sql, returnValue: "resultRows" })[0].join(" | "));
}
JS
echo 'version | round(1.005, 2) | round(4.35, 1) | 201 of 20,000 in percent, by round() | the same in integers'
node ask.mjs | tee seen.txt
echo 'expected: the two lines differ in the version alone'

cat > known.txt <<'TEXT'
3.42.0 | 1.01 | 4.4 | 1.01 | 1.01
3.43.0 | 1 | 4.3 | 1 | 1.01
TEXT
cmp -s seen.txt known.txt || { echo "the behaviour has changed" >&2; exit 1; }
