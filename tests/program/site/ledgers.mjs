// Ledgers that are not like most: of a lock file only, of nothing, of a series whose newest snapshot is its first.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { writeHostilePages, writeReleasePage } from './hostile_pages.mjs';

const lock = fileURLToPath(new URL('../../data/mirrors/spack.lock', import.meta.url));

/// Each has `make`, which loads the ledger (run(...) is the program, `folder` an empty folder), and `look`, which looks at its site.
export const ledger_tests = {
  'The pages of a ledger that has only a lock show it': {
    make: (run) => run('ingest', lock, '--tag', 'environment'),
    async look(site) {
      for (const hash of ['#/coverage', '#/matrix', '#/package/cmake', '#/findings', '#/']) {
        await site.go(hash);
        assert.equal(await site.page.locator('main .error').count(), 0, hash);
      }
      await site.go('#/drift');
      assert.match(await site.text('main'), /no two snapshots/);
      await site.go('#/coverage');
      assert.match(await site.text('main'), /environment@/);
      await site.go('#/package/cmake');
      assert.match(await site.text('.title'), /1 build/);
    },
  },

  'The pages of a ledger without a snapshot say so': {
    make(run, folder) {
      writeHostilePages(folder);
      run('ingest', folder);
      run('forget', 'develop-2025-03-30');
      run('forget', 'develop-2025-03-23');
    },
    async look(site) {
      assert.match(await site.text('main'), /The ledger has no snapshot\./);
      await site.go('#/history');
      assert.equal(await site.page.locator('main .error').count(), 0);
    },
  },

  'The overview of a first snapshot shows what changed elsewhere, and whose growth it draws': {
    make(run, folder) {
      writeHostilePages(folder);
      writeReleasePage(folder);
      run('ingest', folder);
    },
    async look(site, about) {
      assert.deepEqual([about.at.split('@')[0], about.from], ['v0.23.0', 'develop-2025-03-23']);
      const text = await site.text('main');
      assert.match(text, /What changed lastdevelop-2025-03-23 → develop-2025-03-30/);
      assert.match(text, /Builds in each snapshot of the series develop-\*/);
    },
  },
};
