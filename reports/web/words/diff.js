// What is compared: the numbers and rows that the words are made of, for any pair, from canned reports.
import { ask, askQuery, objects } from '../data/ask.js';
import { runSql } from '../data/ledger.js';
import { sum } from '../data/rows.js';
import { snapshotNamed } from '../data/site.js';
import dependencies_sql from '../queries/any_dependencies.sql';

const tag = (snapshot) => snapshot.split('@')[0];

// Asks for all that is needed, but for what only dependencies tell.
async function gather(pair, signal) {
  const rows = async (name) => objects(await ask(`drift/${name}`, pair, signal));
  const query = async (name) => objects(await askQuery(name, { ...pair, package: '*' }, signal));
  const asked = {
    dependencies: runSql(dependencies_sql, {}, signal).then(({ rows: [[known]] }) => known === 1),
    doubts: query('doubts'), stackless: query('stackless').then(([row]) => row.specs),
    systems: query('system_changes'), stacks: query('stack_changes'), rebuilt: query('rebuilt_counts'),
    causes: rows('summary'), packages: rows('packages'), versions: rows('versions'), targets: rows('targets'),
    compilers: rows('compilers'), variants: rows('variants'), copies: rows('copies'), moves: rows('stacks'), unobserved: rows('unobserved'),
  };
  const values = await Promise.all(Object.values(asked));
  return Object.fromEntries(Object.keys(asked).map((name, index) => [name, values[index]]));
}

// The numbers of the lists: how many rows there are of each kind, as `diff --summary` has them.
function countsOf({ packages, versions, targets, compilers, variants, rebuilt, copies, moves, causes, unobserved }) {
  const of = (rows, kind) => rows.filter((row) => row.kind === kind).length;
  return {
    'package-added': of(packages, 'package-added'), 'package-removed': of(packages, 'package-removed'),
    'version-added': of(versions, 'version-added'), 'version-removed': of(versions, 'version-removed'),
    'target-changed': targets.length, 'compiler-changed': compilers.length, 'variants-changed': variants.length,
    rebuilt: rebuilt.length, 'copies-changed': copies.length,
    'stack-joined': of(moves, 'stack-joined'), 'stack-left': of(moves, 'stack-left'),
    'spec-added': sum(causes, 'added'), 'spec-removed': sum(causes, 'removed'), unobserved: unobserved.length,
  };
}

const isEmpty = ({ unobserved, ...counts }) => Object.values(counts).every((number) => number === 0);

// How many builds a snapshot has, in the chosen stacks.
async function specsOf({ name, specs }, stack, signal) {
  return stack === null ? specs : sum(objects(await ask('coverage/targets', { at: name, stack }, signal)), 'specs');
}

/// `pair` is {from, to, stack}; `stack` is null for the whole cache. Gives all that sentence.js and remarks.js read. What follows
/// dependencies, why builds have new hashes and what is gone and still needed, only the program works out.
export async function compare(pair, signal) {
  const [from, to] = [pair.from, pair.to].map(snapshotNamed);
  const found = await gather(pair, signal);
  const counts = countsOf(found);
  const [from_specs, to_specs] = await Promise.all([from, to].map((one) => specsOf(one, pair.stack, signal)));
  const missing = (kind) => sum(found.unobserved.filter((row) => row.kind === kind), 'specs');
  const [compared_from, compared_to] = [from_specs - missing('not-observed-after'), to_specs - missing('not-observed-before')];
  const is_of_stacks = pair.stack !== null;
  return {
    ...found, from, to, counts, from_specs, to_specs, compared_from, compared_to, is_of_stacks, is_empty: isEmpty(counts),
    names: { from: tag(pair.from), to: tag(pair.to), is_of_one_series: from.series === to.series },
    causes: Object.fromEntries(found.causes.map((row) => [row.cause, row])),
    common: compared_from - counts['spec-removed'],
    stackless: is_of_stacks || found.moves.length === 0 ? 0 : found.stackless,
    is_of_all: compared_from === from_specs && compared_to === to_specs,
  };
}
