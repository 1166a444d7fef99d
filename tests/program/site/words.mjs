// The words of a comparison in the page are those of the program, for every pair of snapshots and within stacks.
import assert from 'node:assert/strict';

const most_stacks = 3;

async function compare(site, { program, about }, pair) {
  const { from, to, stack } = pair;
  const words = await site.page.evaluate((one) => globalThis.cacheledger.words(one), pair);
  const told = program('diff', from, to, '--summary', ...(stack === null ? [] : ['--stack', stack]));
  // The hints at commits are the program's alone.
  const remarks = told.remarks.map(({ remark }) => remark).filter((remark) => !remark.startsWith('Hint: '));
  const counts = Object.fromEntries(told.summary.map(({ kind, count }) => [kind, count]));
  assert.deepEqual({ sentence: words.sentence, remarks: words.remarks }, { sentence: told.sentence, remarks }, JSON.stringify(pair));
  assert.deepEqual(words.counts, { ...counts, unobserved: told.unobserved.length }, JSON.stringify(pair));
  assert.equal(words.gone !== null, told.gone.length > 0, JSON.stringify(pair));
  return words;
}

/// Gives the words of each pair, so that a test sees that they differ.
export async function compareWords(site, known) {
  const names = known.about.snapshots.map(({ name }) => name);
  const stacks = [null, ...known.about.stacks.slice(0, most_stacks)];
  const all = [];
  for (const from of names) {
    for (const to of names) {
      for (const stack of stacks) all.push(await compare(site, known, { from, to, stack }));
    }
  }
  return all;
}
