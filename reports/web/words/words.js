// What changed between two snapshots, in words: those that came with the site, else the same from the ledger.
import dependencies_sql from '../queries/any_dependencies.sql';
import { count, element, show } from '../dom/element.js';
import { ask, askQuery, groupBy, objects, sum, writtenResult } from '../data/ask.js';
import { runSql } from '../data/ledger.js';
import { snapshotNamed } from '../data/site.js';
import { address } from '../shell/address.js';
import { sentenceOf, wordsFor } from './sentence.js';

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

/// `pair` is {from, to, stack}; `stack` is null for the whole cache. Gives all that sentence.js and the remarks read. What follows
/// dependencies, why builds have new hashes and what is gone and still needed, only the program works out.
async function compare(pair, signal) {
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

// What a reader should know of the numbers: the remarks of `cacheledger diff` (reports/questions/diff/diff_remarks.cpp), but for its hints at
// commits.

// Few hashes in both are worth a line where both snapshots have so many builds, and less than one hash in so many is in both.
const fewest_builds = 10;
const one_common_in = 10;

function onHashes({ compared_from: before, compared_to: after, common, names, is_of_stacks, is_of_all }) {
  const smaller = Math.min(before, after);
  if (smaller < fewest_builds || common * one_common_in >= smaller) return null;
  const where = is_of_stacks ? 'in these stacks in both snapshots' : 'in both';
  if (common === 0) return `${is_of_all ? 'No hash' : 'None of these hashes'} is ${where}.`;
  const all = before === after ? `${show(before)} hashes`
    : names.is_of_one_series ? `${show(before)} hashes before and ${show(after)} after`
      : `${show(before)} hashes of ${names.from} and ${show(after)} of ${names.to}`;
  return `Only ${show(common)} of ${all} ${wordsFor(common, 'is', 'are')} ${where}.`;
}

// Pages counted a stack whose index lists a spec, whether or not its binary was there.
function onKinds({ from, to, counts, is_of_stacks }) {
  const kinds = [from.kind, to.kind];
  const moves = counts['stack-joined'] + counts['stack-left'] > 0;
  if (!kinds.includes('pages') || !kinds.includes('index') || !(moves || is_of_stacks)) return null;
  const [pages, index] = from.kind === 'pages' ? [from, to] : [to, from];
  return `${pages.name} is made from pages, ${index.name} from indexes. Pages also name stacks that list a build without having its ` +
    'binary, so a build may join or leave a stack here although nothing changed.';
}

// `doubts`: the rows of reports/engine/drift/doubts.sql.
function onFindings({ from, to, doubts }) {
  return [...new Set([from.name, to.name])].map((snapshot) => {
    const found = doubts.filter((row) => row.snapshot === snapshot);
    const kinds = [...groupBy(found, (row) => row.kind)].map(([kind, list]) => `${show(list.length)} ${kind}`);
    return found.length > 0 &&
      `${snapshot} has ${kinds.join(' and ')} ${wordsFor(found.length, 'finding')} (report audit/findings --at '${snapshot}').`;
  });
}

// The option that a change is about: build_system for "build_system: (none) -> cmake", mpi for "~mpi dropped".
function optionName(change) {
  if (/^[+~]/.test(change)) return change.slice(1).split(' ')[0];
  return change.includes(': ') ? change.slice(0, change.indexOf(': ')) : null;
}

// If most changes of variants are about the same single option, the description of builds changed, or all recipes at once.
function onCommonOption({ variants }) {
  const fewest_rows = 10;
  if (variants.length < fewest_rows) return null;
  const rows = groupBy(variants, ({ options }) => (options === null || options.includes('; ') ? null : optionName(options)));
  const all = variants.length;
  const [name, { length: number }] = [...rows].find(([one, list]) => one !== null && list.length * 2 > all) ?? [null, []];
  if (name === null) return null;
  return number === all ? `All ${all} changes of variants are about ${name} alone.`
    : `${number} of ${all} changes of variants are about ${name} alone.`;
}

function onUnobserved({ unobserved }) {
  const packages = (kind) => unobserved.filter((row) => row.kind === kind).length;
  const left_out = ['before', 'after'].map((when) => {
    const number = packages(`not-observed-${when}`);
    return number > 0 && `${count(number, 'package')} ${wordsFor(number, 'is', 'are')} left out, because ` +
      `${wordsFor(number, 'it was', 'they were')} not observed ${when} (report drift/unobserved lists ${wordsFor(number, 'it', 'them')}).`;
  });
  const stackless = ['before', 'after'].map((when) => {
    const number = packages(`stacks-unknown-${when}`);
    return number > 0 && `The ${wordsFor(number, 'page', 'pages')} of ${count(number, 'package')} ${wordsFor(number, 'gives', 'give')} ` +
      `no stacks ${when}: ${wordsFor(number, 'its', 'their')} builds count as in none (report drift/unobserved lists ` +
      `${wordsFor(number, 'it', 'them')}).`;
  });
  return [...left_out, ...stackless];
}

/// The sentences.
function remarksOf(diff) {
  const of_change = (remark) => !diff.is_empty && remark(diff);
  return [of_change(onHashes), of_change(onCommonOption), of_change(onKinds), ...onUnobserved(diff), ...onFindings(diff)]
    .filter(Boolean);
}

function wordsFrom(rows) {
  const texts = (part) => rows.filter((row) => row.part === part).map((row) => row.text);
  return {
    sentence: texts('sentence')[0], gone: texts('gone')[0] ?? null, reasons: texts('reasons')[0] ?? null,
    remarks: rows.filter((row) => row.part === 'remark' || row.part === 'reasons').map((row) => row.text),
    counts: Object.fromEntries(rows.filter((row) => row.part === 'count').map((row) => [row.text, row.number])),
  };
}

// Pages do not list dependencies. Where they alone tell of a pair, nobody knows why its builds have new hashes.
function withUnknown(words, to) {
  const is_unknown = words.reasons === null && words.counts.rebuilt > 0 && snapshotNamed(to).kind === 'pages';
  return { ...words, unknown: is_unknown ? 'Why builds were rebuilt is not known: package pages do not list dependencies.' : null };
}

// What the words of the program say beside: it follows dependencies.
function untold({ dependencies, counts }, { from, to, stack }) {
  const is_needed = dependencies && (counts['spec-added'] > 0 || counts['spec-removed'] > 0);
  const within = stack === null ? '' : ` --stack ${stack}`;
  return is_needed ? `Only the program tells why builds were rebuilt and what is gone and still needed: cacheledger diff ${from} ${to}${within}` : null;
}

/// `pair`: {from, to, stack}. Gives {sentence, gone, reasons, remarks, counts}, and `unknown`: a sentence where the reasons are not known,
/// else null. `counts` has the number of rows of each kind of change.
export async function wordsOf({ from, to, stack = null }, signal) {
  const pair = { from, to, stack: stack || null };
  const written = await writtenResult('diff', pair);
  if (written) return withUnknown(wordsFrom(objects(written)), to);
  const diff = await compare(pair, signal);
  const words = { sentence: sentenceOf(diff), gone: null, reasons: untold(diff, pair), remarks: remarksOf(diff), counts: diff.counts };
  return withUnknown(words, to);
}

// What the program says of its commands, and the pages that answer the same.
const commands = (pair) => [
  [`why ${pair.from} ${pair.to}`, 'all of them', address('report', 'drift/why', pair)],
  ['report drift/unobserved', 'the report of packages not observed', address('report', 'drift/unobserved', pair)],
  ...[pair.from, pair.to].map((at) => [`report audit/findings --at '${at}'`, 'all findings', address('report', 'audit/findings', { at })]),
];

// A sentence, in which a command is a link to the page that answers it.
function linked(text, pair) {
  const found = commands(pair).find(([command]) => text.includes(command));
  if (!found) return text;
  const [command, words, href] = found;
  const at = text.indexOf(command);
  return [text.slice(0, at), element('a', { href }, words), text.slice(at + command.length)];
}

const most_clauses = 5;

// Of a long sentence the first clauses, which concern most builds; the others open.
function sentencePart(sentence) {
  const clauses = sentence.split('; ');
  if (clauses.length <= most_clauses + 1) return element('p', { class: 'sentence' }, sentence);
  return [
    element('p', { class: 'sentence' }, `${clauses.slice(0, most_clauses).join('; ')}; ...`),
    element('details', {}, element('summary', {}, `${show(clauses.length - most_clauses)} smaller changes, and the totals`),
      element('p', {}, clauses.slice(most_clauses).join('; '))),
  ];
}

/// `words` is what wordsOf() gives of the pair.
export function said({ sentence, gone, reasons, unknown, remarks }, pair) {
  const others = remarks.filter((remark) => remark !== reasons);
  return element('div', { class: 'words' },
    sentencePart(sentence),
    [gone, reasons, unknown].filter(Boolean).map((text) => element('p', {}, linked(text, pair))),
    others.length > 0 && element('ul', { class: 'muted' }, others.map((text) => element('li', {}, linked(text, pair)))));
}
