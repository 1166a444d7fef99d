// Loads slices of the ledger: files of data, a thousand in a folder.
import { bytesOf } from './base64.js';
import { about, loadData } from './site.js';

const at_once = 16;
const in_folder = 1000;
let loaded = 0;

/// The part of the slices that was loaded.
export const slicesLoaded = () => Math.min(1, loaded / about.ledger.slices);

const fileOf = (number) => `ledger/${Math.floor(number / in_folder)}/${number}`;

/// Gives each to `take`, with its number. Several are on their way at once.
export async function loadSlices(numbers, take) {
  const rest = numbers.values();
  const loadRest = async () => {
    for (const number of rest) {
      const text = await loadData(fileOf(number));
      ++loaded;
      take(number, bytesOf(text));
    }
  };
  await Promise.all(Array.from({ length: Math.min(at_once, numbers.length) }, loadRest));
}

/// They are gone with the worker that had them.
export function forgetSlices() {
  loaded = 0;
}
