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

// Specs made by chance from the words of a ledger. The same seed makes the same specs (mulberry32).
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/// `rows` are those of the view specs; `edges` those of the view dependencies.
export function randomSpecs(count, seed, rows, edges) {
  const random = chance(seed);
  const one = (list) => list[Math.floor(random() * list.length)];
  const maybe = (part, make) => (random() < part ? make() : '');
  const version = (text) => {
    const cut = text.split('.').slice(0, 1 + Math.floor(random() * 3)).join('.');
    return one([`@${cut}`, `@${cut}:`, `@:${cut}`, `@=${text}`, `@${cut}:${text}`, `@${text},9`]);
  };
  const variant = ({ variants }) => {
    const word = one((variants ?? '+none').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? ['+none']);
    return one([word, word, /^[+~]/.test(word) ? (word[0] === '+' ? '~' : '+') + word.slice(1) : word.replace('=', ':=')]);
  };
  const compiler = ({ compiler: text }) => {
    const [name, number] = (text ?? 'gcc@12').split('@');
    return one([`%${name}`, `%${name}${version(number ?? '1')}`, `%c,cxx=${name}`, `%${one(['clang', 'gcc', 'oneapi'])}`]);
  };
  const target = ({ target: name }) => `target=${one([name, `${name}:`, `:${name}`, `${name},zen2`, 'x86_64:', 'aarch64:'])}`;
  const dependency = () => {
    if (edges.length === 0) return '^zlib';
    const { dependency: name, deptypes, virtuals } = one(edges);
    const its = rows.filter((row) => row.package === name);
    const asked = `${name}${maybe(0.6, () => (its.length > 0 ? version(one(its).version ?? '1') : '@1:'))}`;
    const used = one((virtuals || 'mpi').split(','));
    return one([`^${asked}`, `%${asked}`, `^[deptypes=${one((deptypes || 'link').split(','))}]${asked}`, `^${used}=${name}`, `^${used}`,
      `^${asked} ${its.length > 0 ? variant(one(its)) : ''}`]);
  };
  const spec = () => {
    const row = one(rows);
    const other = one(rows);
    return [
      `${maybe(0.85, () => row.package)}${maybe(0.5, () => version(one([row, other]).version ?? '1'))}`,
      maybe(0.35, () => variant(row)), maybe(0.1, () => variant(other)), maybe(0.25, () => target(one([row, other]))),
      maybe(0.1, () => `os=${row.os}`), maybe(0.08, () => `/${row.hash.slice(0, 1 + Math.floor(random() * 8))}`),
      maybe(0.35, () => compiler(row)), maybe(0.3, dependency), maybe(0.1, dependency),
    ].filter(Boolean).join(' ');
  };
  return Array.from({ length: count }, spec).filter(Boolean);
}
