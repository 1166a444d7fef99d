// Whether a page finds the builds that `cacheledger specs` finds, and says the same where none matches or the spec is none.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

// What the program says of a spec, without what is about its commands.
function ofProgram(program, db, at, text) {
  const { stdout, stderr, status } = spawnSync(program, ['--db', db, 'specs', text, '--format', 'json', '--at', at],
    { encoding: 'utf8', maxBuffer: 1 << 30 });
  const lines = stderr.trimEnd().split('\n').map((line) => line.replace(/^cacheledger: /, ''));
  if (status === 2) return { error: lines[0].replace(/; to see those of a snapshot: .*/, '') };
  const notes = lines.map((line) => line.replace(/^note: /, ''));
  return {
    hashes: JSON.parse(stdout).map((row) => row.hash),
    remarks: notes.filter((line) => line !== '' && !/^(near: |No build matches )/.test(line))
      .map((line) => line.replace(/ \('history .*' tells .*\)/, '')).sort(),
    nearest: notes.filter((line) => line.startsWith('near: ')),
  };
}

function ofPage(site, at, text) {
  return site.page.evaluate(async ([spec, snapshot]) => {
    try {
      const { builds, count, remarks, nearest } = await globalThis.cacheledger.builds(spec, snapshot);
      const place = builds.columns.indexOf('hash');
      return { hashes: builds.rows.map((row) => row[place]), count, remarks, nearest: nearest?.rows ?? [] };
    } catch (error) {
      return { error: error.message };
    }
  }, [text, at]);
}

// The program cuts hashes to what still names them.
function isNear(line, [differs, builds, hash]) {
  const [, short, number, words] = /^near: \/(\S+) \(([\d,]+) builds?\), (.*)$/s.exec(line);
  return hash.startsWith(short) && Number(number.replaceAll(',', '')) === builds && words === differs;
}

/// Compares both for each spec. Returns how many had builds, none, and an error.
export async function compareSpecs(site, program, db, at, specs) {
  const counts = { builds: 0, none: 0, errors: 0 };
  for (const text of specs) {
    const expected = ofProgram(program, db, at, text);
    const found = await ofPage(site, at, text);
    if ('error' in expected) {
      assert.deepEqual(found, expected, text);
      ++counts.errors;
      continue;
    }
    assert.equal(found.error, undefined, text);
    assert.deepEqual({ hashes: found.hashes, remarks: found.remarks.sort() }, { hashes: expected.hashes, remarks: expected.remarks }, text);
    assert.equal(found.count, expected.hashes.length, text);
    const is_same = expected.nearest.length === found.nearest.length
      && expected.nearest.every((line, place) => isNear(line, found.nearest[place]));
    assert.ok(is_same, `${text}: ${JSON.stringify([expected.nearest, found.nearest], null, 1)}`);
    ++counts[found.count > 0 ? 'builds' : 'none'];
  }
  return counts;
}
