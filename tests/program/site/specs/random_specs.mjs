// Specs made by chance from the words of a ledger. The same seed makes the same specs.

// mulberry32
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
