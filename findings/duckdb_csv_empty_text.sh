#!/bin/sh
# DuckDB writes an empty text as "" to a CSV file, and NULL as nothing, so that the file tells the two apart. Its own reader then
# takes both for NULL, unless it is told allow_quoted_nulls=false. PostgreSQL, whose COPY writes the same file, reads "" as a text.
# This matters for a ledger, where an empty text means "none" and NULL means "not known".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @duckdb/node-api@1.4.3-r.1

cat > ask.mjs <<'JS'
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
const rows = async (sql) => JSON.stringify((await duckdb.runAndReadAll(sql)).getRowsJson());
const is_null = "SELECT name, value IS NULL FROM";
await duckdb.run("COPY (VALUES ('empty', ''), ('null', NULL)) TO 'own.csv' (HEADER false)");
console.log("version:", await rows("SELECT version()"));
console.log("file:", JSON.stringify(readFileSync("own.csv", "utf8")));
const names = "header = false, names = ['name', 'value']";
console.log("seen:", await rows(`${is_null} read_csv('own.csv', ${names})`));
console.log("with the option:", await rows(`${is_null} read_csv('own.csv', ${names}, allow_quoted_nulls = false)`));
JS
node ask.mjs | tee seen.txt
echo 'expected: the reader gives back what the writer wrote: [["empty",false],["null",true]]'

cat > known.txt <<'TEXT'
version: [["v1.4.3"]]
file: "empty,\"\"\nnull,\n"
seen: [["empty",true],["null",true]]
with the option: [["empty",false],["null",true]]
TEXT
cmp -s seen.txt known.txt || { echo "the behaviour has changed" >&2; exit 1; }
