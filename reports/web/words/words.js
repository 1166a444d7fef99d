// What changed between two snapshots, in words: those that came with the site, else the same from the ledger.
import { objects } from '../data/ask.js';
import { writtenResult } from '../data/results.js';
import { snapshotNamed } from '../data/site.js';
import { compare } from './diff.js';
import { remarksOf } from './remarks.js';
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
