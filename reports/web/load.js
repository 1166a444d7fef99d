// Runs before all others (build.mjs): says what keeps the pages from beginning, and unpacks the reports, which their modules need then.
import { element } from './dom/element.js';
import { bytesOf, notLoaded, unpack } from './data/files.js';

const known_format = 3;
const store = (globalThis.CACHELEDGER ??= {});

const tell = (text) => document.getElementById('main').append(element('p', { class: 'error', role: 'alert' }, text));
const fileOf = (key) => document.querySelector(`script[src^="data/${key}."]`)?.getAttribute('src') ?? `data/${key}.js`;

async function load() {
  const { about, reports } = store;
  if (about === undefined || reports === undefined) {
    tell(notLoaded(fileOf(about === undefined ? 'about' : 'reports')));
  } else if (about.format !== known_format) {
    tell(`This site has the format ${about.format}; its pages read format ${known_format}. Make it again with one program.`);
  } else {
    store.reports = await unpack(bytesOf(reports)).json();
    return true;
  }
  return false;
}

/// Whether the pages can begin.
export const loaded = load();
