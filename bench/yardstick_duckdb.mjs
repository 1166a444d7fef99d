// yardstick_duckdb.mjs MODULES load FOLDER DATABASE: loads the pages below FOLDER with DuckDB's read_text and
// from_json, as a yardstick for the program. The number of threads is DuckDB's default.
// yardstick_duckdb.mjs MODULES count DATABASE: prints what was loaded, as JSON.
// MODULES is the folder in which npm installed @duckdb/node-api.

import {createRequire} from 'node:module';
import {resolve} from 'node:path';

const [modules, command, ...rest] = process.argv.slice(2);
const {DuckDBInstance, version} = createRequire(resolve(modules, 'any.js'))('@duckdb/node-api');

const quoted = text => `'${text.replaceAll("'", "''")}'`;

const form = JSON.stringify([{
  compiler: 'VARCHAR', hash: 'VARCHAR', os: 'VARCHAR', platform: 'VARCHAR', stacks: ['VARCHAR'], target: 'VARCHAR',
  variants: ['VARCHAR'], versions: ['VARCHAR'],
}]);

// Regular expressions take ten times as long.
const between = (begin, end) => `split_part(split_part(content, chr(10) || ${quoted(begin)}, 2), ${end}, 1)`;

// Several steps: one statement for all takes DuckDB twice as long.
const load = folder => [
  `CREATE TEMP TABLE file AS SELECT content FROM read_text(${quoted(folder + '/**/*.md')})`,
  `CREATE TEMP TABLE page AS
   SELECT
     ${between('title: "', "'\"'")} AS package,
     ${between('categories: [package, ', "']'")} AS tag,
     from_json(${between('spec_details: ', 'chr(10)')}, ${quoted(form)}) AS specs
   FROM file`,
  'CREATE TEMP TABLE entry AS SELECT package, tag, unnest(specs) AS spec FROM page',
  `CREATE TABLE spec AS
   SELECT spec.hash AS hash, any_value(package) AS package, any_value(spec.versions[1]) AS version,
     any_value(spec.platform) AS platform, any_value(spec.os) AS os, any_value(spec.target) AS target,
     any_value(spec.compiler) AS compiler, any_value(spec.variants) AS variants
   FROM entry GROUP BY spec.hash`,
  'CREATE TABLE presence AS SELECT tag, spec.hash AS hash, spec.stacks AS stacks FROM entry',
];

const count = `SELECT (SELECT count(*) FROM presence) AS entries, (SELECT count(DISTINCT hash) FROM spec) AS hashes`;

const database = await DuckDBInstance.create(rest.at(-1));
const connection = await database.connect();
if (command === 'load') {
  for (const sql of load(rest[0])) {
    await connection.run(sql);
  }
} else {
  const [row] = (await connection.runAndReadAll(count)).getRowObjects();
  console.log(JSON.stringify({entries: Number(row.entries), hashes: Number(row.hashes), version: version()}));
}
connection.closeSync();
database.closeSync();
