// Files of data (reports/site/FORMAT.md): their names, their bytes, and what a reader is told where they can't be read.

/// The digest is of the content: no file of another ledger comes in its place. The files of the bundle have none.
export const fileName = (key, digest) => `data/${key}${digest === undefined ? '' : `.${digest}`}.js`;

/// What a reader is told where one is not there, or was cut.
export const notLoaded = (file) =>
  `${file} can't be loaded: the site was made anew meanwhile, or it is not whole. Load the page again.`;

/// Base64 as bytes. Not every browser has a function for it.
export function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; ++index) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

/// What gzip packed, as a Response: text() and arrayBuffer() give it.
export const unpack = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));

/// What a reader is told where the policy of a server, which may be stricter than that of index.html, keeps SQLite from running.
export const refused_by_policy = "The Content-Security-Policy of the server keeps the pages from reading the ledger: it must allow worker-src blob:, " +
  "and script-src 'self' blob: 'wasm-unsafe-eval'.";
