// What changed between two snapshots, in words: those that came with the site, else the same from the ledger.
import { objects } from '../data/ask.js';
import { writtenResult } from '../data/results.js';
import { snapshotNamed } from '../data/site.js';
import { compare } from './diff.js';
import { goneSentence, remarksOf } from './remarks.js';
import { sentenceOf } from './sentence.js';

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

/// The words from the ledger: {sentence, gone, reasons, remarks, counts}. `counts` has the number of rows of each kind of change.
export async function workedOut(pair, signal) {
  const diff = await compare(pair, signal);
  return {
    sentence: sentenceOf(diff), gone: goneSentence(diff), reasons: diff.reasons, remarks: remarksOf(diff), counts: diff.counts,
  };
}

/// `pair`: {from, to, stack}. Also has `unknown`: a sentence where the reasons are not known, else null.
export async function wordsOf({ from, to, stack = null }, signal) {
  const pair = { from, to, stack: stack || null };
  const written = await writtenResult('diff', pair);
  return withUnknown(written ? wordsFrom(objects(written)) : await workedOut(pair, signal), to);
}
