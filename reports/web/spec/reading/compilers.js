// Names of compilers: each has its new one, whichever is given (schema/specs/spelling/compiler.cpp).

const renamed = new Map([
  ['arm', 'acfl'], ['clang', 'llvm'], ['oneapi', 'intel-oneapi-compilers'], ['rocmcc', 'llvm-amdgpu'],
  ['intel', 'intel-oneapi-compilers-classic'], ['intel-oneapi-compiler-classic', 'intel-oneapi-compilers-classic'],
]);

const known = new Set(['acfl', 'aocc', 'apple-clang', 'cce', 'dpcpp', 'fj', 'gcc', 'intel-oneapi-compilers',
  'intel-oneapi-compilers-classic', 'llvm', 'llvm-amdgpu', 'msvc', 'nag', 'nvhpc', 'pgi', 'xl', 'xl_r']);

export const canonicalCompiler = (name) => renamed.get(name) ?? name;

/// Whether this is the canonical name of a compiler that Spack knows.
export const isKnownCompiler = (canonical) => known.has(canonical);

/// {name, version} of a compiler of the ledger: "gcc@13.2.0", or "gcc", of which the version is null.
export function parseCompiler(text) {
  const [name, version = null] = text.split(/@(.*)/s);
  return { name: canonicalCompiler(name), version };
}
