// The words of a comparison in the page are those of the program, for every pair of snapshots and within stacks.
import assert from 'node:assert/strict';
import { data } from '../browser.mjs';
import { writeHostilePages, writeReleasePage } from '../hostile_pages.mjs';

const most_stacks = 3;

async function compare(site, about, program, pair) {
  const { from, to, stack } = pair;
  const words = await site.page.evaluate((one) => globalThis.cacheledger.words(one), pair);
  const told = program('diff', from, to, '--summary', ...(stack === null ? [] : ['--stack', stack.replace(/[[*?]/g, '[$&]')]));
  // The hints at commits are the program's alone.
  // So are the reasons and what is gone and still needed, but for the pairs of the site.
  const is_known = about.results.some(({ report, arguments: given }) => report === 'diff' && stack === null && given.from === from && given.to === to);
  const remarks = told.remarks.map(({ remark }) => remark)
    .filter((remark) => !remark.startsWith('Hint: ') && (is_known || !/^[0-9,]+ (rebuilt|builds? with another|more cop|new hashes)/.test(remark)));
  const counts = Object.fromEntries(told.summary.map(({ kind, count }) => [kind, count]));
  assert.deepEqual({ sentence: words.sentence, remarks: words.remarks }, { sentence: told.sentence, remarks }, JSON.stringify(pair));
  assert.deepEqual(words.counts, { ...counts, unobserved: told.unobserved.length }, JSON.stringify(pair));
  assert.equal(words.gone !== null, is_known && told.gone.length > 0, JSON.stringify(pair));
  return words;
}

/// Compares each pair, in both directions, also within one of the first stacks. Gives their words, so that a test sees what they tell.
export async function compareWords(site, about, program) {
  const names = about.snapshots.map(({ name }) => name);
  const stacks = about.stacks.slice(0, most_stacks);
  const pairs = names.flatMap((from) => names.map((to) => ({ from, to, stack: null })));
  const within = stacks.length === 0 ? [] : pairs.filter(({ from, to }) => from !== to)
    .map((pair, index) => ({ ...pair, stack: stacks[index % stacks.length] }));
  const all = [];
  for (const pair of [...pairs, ...within]) all.push(await compare(site, about, program, pair));
  return all;
}

const tells = (words, sentence) => words.some((one) => [one.sentence, ...one.remarks].some((text) => sentence.test(text)));

/// As ledger_tests of ledgers.mjs; `program` prints what it has over the ledger.
export const word_ledgers = {
  'The page says what diff says of pages, mirrors and a lock file': {
    make(run) {
      run('ingest', data('pages/earlier'), '--taken-at', '2025-02-10');
      run('ingest', data('pages/later'), '--taken-at', '2025-03-10');
      run('ingest', data('mirrors/earlier'), '--tag', 'mirror', '--taken-at', '2025-02-10');
      run('ingest', data('mirrors/later'), '--tag', 'mirror', '--taken-at', '2025-03-10');
      run('ingest', data('mirrors/spack.lock'), '--tag', 'environment', '--taken-at', '2025-03-10');
    },
    async look(site, about, { program }) {
      const words = await compareWords(site, about, program);
      for (const sentence of [/rebuilt/, /because/, /only in mirror/, /No hash is in both/, /No change/, /Only removals|gone/]) {
        assert.ok(tells(words, sentence), String(sentence));
      }
    },
  },

  'The page says what diff says of hostile names': {
    make(run, folder) {
      writeHostilePages(folder);
      writeReleasePage(folder);
      run('ingest', folder);
    },
    async look(site, about, { program }) {
      const words = await compareWords(site, about, program);
      assert.ok(tells(words, /new version/));
    },
  },
};
