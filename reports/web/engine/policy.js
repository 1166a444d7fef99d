// What a reader is told where the policy of a server, which may be stricter than that of index.html, keeps SQLite from running.
export const refused_by_policy = "The Content-Security-Policy of the server keeps the pages from reading the ledger: it must allow worker-src blob:, " +
  "and script-src 'self' blob: 'wasm-unsafe-eval'.";
