// What a reader should know of the numbers of a comparison: the remarks of `cacheledger diff` (reports/questions/diff/diff_remarks.cpp),
// but for its hints at commits.
import { counted, grouped, listed, wordsFor } from './numbers.js';

// Few hashes in both are worth a line where both snapshots have so many builds, and less than one hash in so many is in both.
const fewest_builds = 10;
const one_common_in = 10;

function onHashes({ compared_from: before, compared_to: after, common, names, is_of_stacks, is_of_all }) {
  const smaller = Math.min(before, after);
  if (smaller < fewest_builds || common * one_common_in >= smaller) return null;
  const where = is_of_stacks ? 'in these stacks in both snapshots' : 'in both';
  if (common === 0) return `${is_of_all ? 'No hash' : 'None of these hashes'} is ${where}.`;
  const all = before === after ? `${grouped(before)} hashes`
    : names.is_of_one_series ? `${grouped(before)} hashes before and ${grouped(after)} after`
      : `${grouped(before)} hashes of ${names.from} and ${grouped(after)} of ${names.to}`;
  return `Only ${grouped(common)} of ${all} ${wordsFor(common, 'is', 'are')} ${where}.`;
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
    const found = doubts.filter((row) => row.snapshot === snapshot).map((row) => row.kind);
    const kinds = [...new Set(found)].map((kind) => `${grouped(found.filter((one) => one === kind).length)} ${kind}`);
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
  const rows = new Map();
  for (const { options } of variants) {
    const name = options === null || options.includes('; ') ? null : optionName(options);
    if (name !== null) rows.set(name, (rows.get(name) ?? 0) + 1);
  }
  const all = variants.length;
  const [name, number] = [...rows].find(([, one]) => one * 2 > all) ?? [];
  if (name === undefined) return null;
  return number === all ? `All ${all} changes of variants are about ${name} alone.`
    : `${number} of ${all} changes of variants are about ${name} alone.`;
}

function onUnobserved({ unobserved }) {
  const packages = (kind) => unobserved.filter((row) => row.kind === kind).length;
  const left_out = ['before', 'after'].map((when) => {
    const number = packages(`not-observed-${when}`);
    return number > 0 && `${counted(number, 'package')} ${wordsFor(number, 'is', 'are')} left out, because ` +
      `${wordsFor(number, 'it was', 'they were')} not observed ${when} (report drift/unobserved lists ${wordsFor(number, 'it', 'them')}).`;
  });
  const stackless = ['before', 'after'].map((when) => {
    const number = packages(`stacks-unknown-${when}`);
    return number > 0 && `The ${wordsFor(number, 'page', 'pages')} of ${counted(number, 'package')} ${wordsFor(number, 'gives', 'give')} ` +
      `no stacks ${when}: ${wordsFor(number, 'its', 'their')} builds count as in none (report drift/unobserved lists ` +
      `${wordsFor(number, 'it', 'them')}).`;
  });
  return [...left_out, ...stackless];
}

/// The sentences.
export function remarksOf(diff) {
  const of_change = (remark) => !diff.is_empty && remark(diff);
  return [of_change(onHashes), of_change(onCommonOption), of_change(onKinds), ...onUnobserved(diff), ...onFindings(diff)]
    .filter(Boolean);
}
