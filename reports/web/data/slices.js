// Loads slices of the ledger: files of data, a thousand in a folder. Another one has their names.
import { bytesOf } from './base64.js';
import { about, loadData } from './site.js';

const at_once = 16;
const in_folder = 1000;
const digits = 16;       // of a digest
let loaded = 0;
let digests = null;      // the promise of the text that has those of all slices

/// The part of the slices that was loaded.
export const slicesLoaded = () => Math.min(1, loaded / about.ledger.slices);

async function loadSlice(number) {
  digests ??= loadData('ledger', about.ledger.digest);
  const start = number * digits;
  return loadData(`ledger/${Math.floor(number / in_folder)}/${number}`, (await digests).slice(start, start + digits));
}

/// Gives each to `take`, with its number. Several are on their way at once.
export async function loadSlices(numbers, take) {
  const rest = numbers.values();
  const loadRest = async () => {
    for (const number of rest) {
      const text = await loadSlice(number);
      ++loaded;
      take(number, bytesOf(text));
    }
  };
  await Promise.all(Array.from({ length: Math.min(at_once, numbers.length) }, loadRest));
}

/// They are gone with the worker that had them.
export function forgetSlices() {
  loaded = 0;
  digests = null;   // or its loading may have failed
}
