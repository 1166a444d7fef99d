// Pages whose names try to be markup, the end of a script, a pattern or a formula. Two snapshots of one series.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/// The name of a package that would run, were it markup.
export const hostile_name = '<img src=x onerror="globalThis.taken=1">*[a]?';
export const hostile_stack = '</script><script>taken=1</script>\u2028';
export const shown_stack = hostile_stack.replace('\u2028', '\\u{2028}');

/// Versions whose order is not that of their characters.
const versions = ['1.2', '1.2-rc1', '1.2-rc10', '1.2-rc2', '1.2-beta1', '1.2a', '1.2.0', '1.02', '1.10', '1.9', 'develop', 'main', 'master',
  'stable', 'head', 'git.main=1.2', '2024.1', '1', 'a', '1.2.alpha'];

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const hash = (number) => alphabet[number % 32].padEnd(31, 'x') + alphabet[Math.floor(number / 32) % 32];

function spec(number, version) {
  return {
    compiler: number % 2 ? 'gcc@13.2.0' : 'gcc@12.1.0', hash: hash(number), os: 'ubuntu22.04', platform: 'linux', size: '-',
    stacks: ['root', number % 3 ? 'e4s' : hostile_stack], target: number % 2 ? 'x86_64_v3' : 'aarch64',
    variants: ['build_system=generic', number % 2 ? '+mpi' : '~mpi', 'note="<b>bold</b>"'], versions: [version],
  };
}

function page(name, tag, specs) {
  return `---\ntitle: ${JSON.stringify(name)}\nlayout: cache\ncategories: [package, ${tag}]\n` +
    `meta: {"versions": [], "num_specs": ${specs.length}, "num_specs_by_stack": {}}\n` +
    `spec_details: ${JSON.stringify(specs)}\n---\n`;
}

/// A snapshot of many packages; of another state no build is the same.
export function writeManyPages(folder, packages, builds, state) {
  fs.mkdirSync(folder, { recursive: true });
  for (let place = 0; place < packages; ++place) {
    const specs = Array.from({ length: builds }, (_, number) => {
      const digest = createHash('sha256').update(`${place} ${number} ${state}`).digest();
      return { ...spec(1, `1.${number}`), hash: Array.from(digest, (byte) => alphabet[byte % 32]).join(''), variants: [`n=${number}`, state % 2 ? '+x' : '~x'] };
    });
    fs.writeFileSync(path.join(folder, `p${place}.md`), page(`p${place}`, 'develop', specs));
  }
}

const targets = 'targets:=aarch64,amdgpu,arm,avr,bpf,hexagon,lanai,mips,msp430,nvptx,powerpc,riscv,sparc,systemz,webassembly,x86,xcore';

/// Spellings that real caches have, and their like: a variant of many values, eight patches, a compiler of a commit.
export const long_names = { spec: `llvm@9 ${targets}`, stack: 's'.repeat(64), compiler: `gcc@git.${'0123456789'.repeat(4)}=13.2.0` };

export function writeLongPages(folder) {
  const patches = `patches:=${Array.from({ length: 8 }, (_, number) => `${number}`.repeat(64)).join(',')}`;
  const { stack, compiler } = long_names;
  fs.writeFileSync(path.join(folder, 'llvm.md'),
    page('llvm', 'develop', [{ ...spec(1, '18.1.8'), compiler, variants: [patches, targets], stacks: ['root', stack] }]));
}

/// A release: a series of its own, newer than the others.
export function writeReleasePage(folder) {
  fs.writeFileSync(path.join(folder, 'release.md'), page('zlib', 'v0.23.0', [spec(100, '1.3')]));
}

export function writeHostilePages(folder) {
  fs.mkdirSync(folder, { recursive: true });
  const range = (first, last) => Array.from({ length: last - first }, (_, index) => first + index);
  const write = (tag, name, file, numbers, version) =>
    fs.writeFileSync(path.join(folder, `${tag}-${file}.md`), page(name, tag, numbers.map((number) => spec(number, version))));
  write('develop-2025-03-23', hostile_name, 'hostile', range(0, 12), '1.9');
  write('develop-2025-03-30', hostile_name, 'hostile', range(6, 20), '1.10');
  const many = versions.map((version, index) => spec(200 + index, version));
  fs.writeFileSync(path.join(folder, 'develop-2025-03-30-many.md'), page('many-versions', 'develop-2025-03-30', many));
  write('develop-2025-03-23', 'zlib', 'zlib', range(100, 103), '1.3');
  write('develop-2025-03-30', 'zlib', 'zlib', range(101, 105), '1.3');
}
