// Makes the bundle: the files that every site has in common.
//
//   node build.mjs --modules NODE_MODULES --out FOLDER
//
// FOLDER gets index.html, theme.js, app.js, app.css, licences.txt and data/sqlite.js (reports/site/FORMAT.md). The same sources and the same
// lock file give the same bytes.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';

const sources = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { modules: { type: 'string' }, out: { type: 'string' } } });
const modules = path.resolve(values.modules ?? path.join(sources, 'node_modules'));
const out = path.resolve(values.out ?? path.join(sources, 'bundle'));
const { build } = createRequire(path.join(modules, 'build.js'))('esbuild');

const settings = {
  absWorkingDir: sources,
  bundle: true,
  minify: true,
  format: 'iife',
  loader: { '.sql': 'text' },
  target: ['es2022', 'chrome110', 'firefox115', 'safari16.4'],
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  nodePaths: [modules],
  // SQLite asks where its module is. It is given its bytes instead.
  define: { 'import.meta.url': '"file:///"' },
};

// The engine runs in a worker. Pages from the disk may start a worker only from a blob, so its text is data, beside SQLite.
async function engineText() {
  const result = await build({ ...settings, entryPoints: ['engine/engine.js'], write: false });
  return { text: result.outputFiles[0].text, inputs: Object.keys(result.metafile.inputs) };
}

// The pages begin when load.js is done. A dynamic import would do the same, and make them a tenth larger.
async function afterLoading() {
  const result = await build({ ...settings, entryPoints: ['load.js'], globalName: 'start', write: false });
  return { banner: { js: `{${result.outputFiles[0].text.trim()}start.loaded.then((can)=>{if(!can)return;` }, footer: { js: '})}' } };
}

async function bundle() {
  // Alone, because it runs before anything is drawn.
  await build({ ...settings, entryPoints: [{ in: 'shell/theme.js', out: 'theme' }], outdir: out });
  const entryPoints = [{ in: 'main.js', out: 'app' }, { in: 'styles/app.css', out: 'app' }];
  const result = await build({ ...settings, ...(await afterLoading()), entryPoints, outdir: out });
  return Object.keys(result.metafile.inputs);
}

// The folders of the packages that the inputs are from.
function packagesOf(inputs) {
  const names = new Set();
  for (const input of inputs) {
    const inside = input.split('node_modules/').slice(1).pop();
    if (inside !== undefined) {
      names.add(inside.split('/').slice(0, inside.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return [...names].sort();
}

function licenceOf(name) {
  const folder = path.join(modules, name);
  const about = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const own = path.join(sources, 'licences', `${about.license}.txt`);
  if (file === undefined && !fs.existsSync(own)) {
    throw new Error(`no text of the licence ${about.license} of ${name}`);
  }
  const author = typeof about.author === 'object' ? about.author.name : about.author;
  const text = fs.readFileSync(file === undefined ? own : path.join(folder, file), 'utf8').trim();
  return `${name} ${about.version}\nLicence: ${about.license}${author ? `\nAuthor: ${author}` : ''}\n\n${text}\n`;
}

const packed = (bytes) => zlib.gzipSync(bytes, { level: 9 }).toString('base64');

// What the first question to the ledger needs.
function writeSqlite(engine) {
  const module = fs.readFileSync(path.join(modules, '@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'));
  const value = JSON.stringify({ engine: packed(engine), module: packed(module) });
  fs.writeFileSync(path.join(out, 'data/sqlite.js'), `(globalThis.CACHELEDGER??={})["sqlite"]=${value};\n`);
}

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(path.join(out, 'data'), { recursive: true });
const engine = await engineText();
// Files of d3-array and d3-delaunay contain these already, which the bundler can't see.
const contained = ['delaunator', 'internmap', 'robust-predicates'];
const packages = [...new Set([...packagesOf([...engine.inputs, ...(await bundle())]), ...contained])].sort();
fs.copyFileSync(path.join(sources, 'index.html'), path.join(out, 'index.html'));
writeSqlite(engine.text);
const line = `\n${'-'.repeat(80)}\n\n`;
fs.writeFileSync(path.join(out, 'licences.txt'), packages.map(licenceOf).join(line));
