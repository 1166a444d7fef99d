// Ledgers that are not like most: of a lock file only, of nothing, of a series whose newest snapshot is its first.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { data } from '../browser.mjs';
import { long_names, writeHostilePages, writeLongPages, writeReleasePage } from '../hostile_pages.mjs';

const [lock, sample] = ['mirrors/spack.lock', 'pages/later'].map(data);

// A package repository in which a stack wants a package that the sample has in it, and one that it has not.
function makePackages(folder) {
  const write = (file, text) => {
    fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  };
  const date = '2025-01-01T00:00:00Z';
  const git = (...args) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', '-C', folder, ...args],
    { env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date } });
  write('stacks/ml-linux-x86_64-cpu/spack.yaml', 'spack:\n  specs: [py-ml-dtypes, py-torch]\n');
  write('repos/spack_repo/builtin/packages/py_ml_dtypes/package.py', 'recipe');
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'py-ml-dtypes: <b>new</b>');
}

/// Each has `make`, which loads the ledger (run(...) is the program, `folder` an empty folder), and `look`, which looks at its site.
export const ledger_tests = {
  'The pages of a ledger that has only a lock show it': {
    make: (run) => run('ingest', lock, '--tag', 'environment'),
    async look(site, about, { program }) {
      const [{ hash: build }] = program('sql', 'SELECT hash FROM specs WHERE package = \'cmake\'');
      for (const hash of ['#/coverage', '#/matrix', '#/package/cmake', `#/build/${build}`, '#/findings', '#/']) {
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

  'No page scrolls sideways for a long spelling': {
    make(run, folder) {
      writeLongPages(folder);
      run('ingest', folder, '--taken-at', '2025-01-01');
    },
    async look(site, about) {
      const [[hash]] = (await site.page.evaluate(() => globalThis.cacheledger.sql('SELECT hash FROM specs LIMIT 1'))).rows;
      const { spec, stack, compiler } = long_names;
      for (const width of [390, 800]) {
        await site.page.setViewportSize({ width, height: 844 });
        for (const address of ['#/', '#/history', '#/package/llvm', `#/build/${hash}`, `#/stack/${stack}`, `#/compiler/${encodeURIComponent(compiler)}`,
          `#/search?q=${encodeURIComponent(spec)}`, `#/?at=${about.at}${'x'.repeat(90)}`]) {
          await site.go(address);
          assert.equal(await site.isSidewaysScrollable(), false, `${width} ${address}`);
        }
      }
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

  'The lists of stacks and the commits of recipes are shown where they are known': {
    make(run, folder) {
      makePackages(folder);
      run('ingest', folder);
      run('ingest', sample, '--taken-at', '2025-03-10');
    },
    async look(site) {
      assert.match(await site.text('main'), /How much of what stacks want is there/);
      await site.go('#/stack/ml-linux-x86_64-cpu');
      const text = await site.text('main');
      assert.match(text, /1 of 2 wishes there \(50 %\)/);
      assert.match(text, /py-torch/);
      await site.go('#/package/py-ml-dtypes');
      assert.match(await site.text('main'), /Commits of its recipe[^]*py-ml-dtypes: <b>new<\/b>/);
    },
  },

  'The overview of a first snapshot has nothing of another series, and leads to what changed there': {
    make(run, folder) {
      writeHostilePages(folder);
      writeReleasePage(folder);
      run('ingest', folder);
    },
    async look(site, about) {
      assert.deepEqual([about.at.split('@')[0], about.from], ['v0.23.0', 'develop-2025-03-23']);
      const text = await site.text('main');
      assert.match(text, /is the only snapshot of v0\.23\.0/);
      assert.doesNotMatch(text, /Growth|added/);
      await site.page.getByRole('link', { name: /What changed from/ }).click();
      await site.arrived('#/drift');
      assert.equal(await site.page.locator('#at').inputValue(), 'develop-2025-03-30');
      assert.match(await site.text('.title p'), /from develop-2025-03-23 to develop-2025-03-30/);
    },
  },
};
