// What is said where no build matches (reports/questions/specs/no_match.cpp).
import not_external_sql from '../../queries/names/not_external.sql';
import packages_of_sql from '../../queries/names/packages_of.sql';
import series_of_sql from '../../queries/names/series_of.sql';
import { exactly } from '../../data/ask.js';
import { listed } from '../../words/numbers.js';
import { asksOnlyHash } from '../reading/query.js';
import { nearestNames } from './nearest_names.js';
import { nearestToBuild, nearestToQuery } from './near_builds.js';

const most_nearest = 5;
const most_series = 5;

async function buildsOfPackage(rows, name) {
  const looks = await rows.looks(exactly(name), false);
  const specs = await rows.present(looks.map((look) => look.look_id));
  return rows.builds(specs.map((spec) => spec.spec_id));
}

// Those that differ in the same way are one row.
function tableOf(near) {
  const rows = [];
  for (const { build, difference } of near) {
    const differs = difference.words.length === 0 ? 'nothing but the hash' : difference.words.join('; ');
    const known = rows.find((row) => row[0] === differs);
    if (known) ++known[1];
    else if (rows.length < most_nearest) rows.push([differs, 1, build.hash]);
  }
  return { columns: ['differs', 'builds', 'hash'], rows };
}

async function explainHash(rows, { pattern, query: { hash } }, found) {
  const builds = await rows.ofPackages(await rows.builds(await rows.specsWithHash(hash)), pattern);
  if (builds.length === 0) {
    const whose = pattern === '*' ? 'the ledger' : `a package like '${pattern}'`;
    found.remarks.push(`No spec of ${whose} has a hash that begins with ${hash}.`);
    return;
  }
  const [build] = builds;
  const name = build.version === null ? build.package : `${build.package}@${build.version}`;
  found.remarks.push(`/${hash} is ${name}, which ${rows.at} does not have.`);
  found.nearest = tableOf(await nearestToBuild(rows, build, await buildsOfPackage(rows, build.package)));
}

async function whereItIs(rows, name) {
  const series = await rows.ask(series_of_sql, { package: name, at: rows.at });
  const own = series.find((row) => row.is_own);
  const others = listed(series.filter((row) => !row.is_own).map((row) => row.name), most_series);
  if (own) return `other snapshots of ${own.name} have it${others === '' ? '' : `, and so have some of other series: ${others}`}`;
  if (others !== '') return `snapshots of other series have it: ${others}`;
  const builds = await rows.ask(not_external_sql, { package: name });
  return `it is in no snapshot: ${builds.length === 0 ? 'it is external' : 'other builds only depend on it'}`;
}

async function noteOnAbsent(rows, name) {
  const near = nearestNames(name, (await rows.ask(packages_of_sql, { at: rows.at })).map((row) => row.name));
  return `${rows.at} has no build of ${name} at all${near.length > 0 ? `; near are: ${near.join(', ')}` : ''}; ${await whereItIs(rows, name)}.`;
}

/// Adds remarks and the nearest builds to an answer without builds.
export async function explainNoMatch(rows, asked, is_undecided, found) {
  const { query } = asked;
  if (asksOnlyHash(query)) {
    await explainHash(rows, asked, found);
  } else if (query.package !== null && !is_undecided) {
    const builds = await buildsOfPackage(rows, query.package);
    if (builds.length === 0) found.remarks.push(await noteOnAbsent(rows, query.package));
    found.nearest = tableOf(await nearestToQuery(rows, query, builds));
  }
}
