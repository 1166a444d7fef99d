// Unpacks the reports: the modules of the pages need them when they begin (build.mjs).
import { bytesOf } from './data/base64.js';
import { unpack } from './data/unpack.js';

const store = globalThis.CACHELEDGER;

async function load() {
  try {
    store.reports = await unpack(bytesOf(store.reports)).json();
  } catch {
    // A site of another format: main.js tells.
  }
}

export const loaded = load();
