// The pages that tests of all pages look at: axe, the width of a phone, paper. A new page gets its line here.
const encoded = encodeURIComponent;

/// Addresses for a site; `known` has {about, program(...)}. Each is {name, hash}; what the ledger has no example of is left out.
export function pagesOf({ about, program }) {
  const specs = program('sql', `SELECT hash, package, target, compiler FROM specs WHERE snapshot = '${about.at}' ORDER BY package, hash LIMIT 1`);
  const of = (spec) => [
    { name: 'package', hash: `#/package/${encoded(spec.package)}` },
    { name: 'build', hash: `#/build/${spec.hash}` },
    { name: 'target', hash: `#/target/${encoded(spec.target)}` },
    spec.compiler && { name: 'compiler', hash: `#/compiler/${encoded(spec.compiler)}` },
    { name: 'search', hash: `#/search?q=${encoded(spec.package)}` },
  ];
  return [
    { name: '', hash: '#/' },
    ...['coverage', 'matrix', 'history', 'sizes', 'findings', 'reports', 'sql'].map((name) => ({ name, hash: `#/${name}` })),
    about.from && { name: 'drift', hash: '#/drift' },
    about.stacks.length > 0 && { name: 'stack', hash: `#/stack/${encoded(about.stacks[0])}` },
    { name: 'report', hash: '#/report/coverage%2Fgaps' },
    ...specs.flatMap(of),
  ].filter(Boolean);
}

/// Those that the site in view has. Pages that are still to be written are left out, and so is what other tests look for.
export async function pagesThere(site, known) {
  const there = await site.page.evaluate(() => globalThis.cacheledger.pages);
  return pagesOf(known).filter(({ name }) => there.includes(name));
}
