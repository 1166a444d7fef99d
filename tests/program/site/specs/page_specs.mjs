// Specs for the builds of hostile_pages.mjs, of which only what pages tell is known.
export const page_specs = [
  'many-versions', 'many-versions@1.2', 'many-versions@=1.2', 'many-versions@1.2:', 'many-versions@:1.2', 'many-versions@1.2:1.9', 'many-versions@1.2-rc1',
  'many-versions@1.2-rc1:1.2-rc2', 'many-versions@:1.2-rc2', 'many-versions@1.2-beta:', 'many-versions@1.2a', 'many-versions@=1.2.0', 'many-versions@1.02',
  'many-versions@1.10', 'many-versions@1.9:1.10', 'many-versions@develop', 'many-versions@:develop', 'many-versions@main:', 'many-versions@stable:head',
  'many-versions@git.main', 'many-versions@git.main=1.2', 'many-versions@git.main=1.3', 'many-versions@1', 'many-versions@=1', 'many-versions@a', 'many-versions@:a',
  'many-versions@2024', 'many-versions@1.2.alpha', 'many-versions@1.2:1.2', 'many-versions@1.2,develop', 'many-versions@3', 'many-versions@2025:',
  'zlib +mpi', 'zlib ~mpi %gcc@13', 'zlib %gcc@12', 'zlib %clang', 'zlib cflags=-O2', 'zlib ^mpi', 'zlib ^cmake@3', 'zlib %cmake', 'zlib %c=gcc', 'zlib namespace=builtin',
  'zlib patches=1234567', "zlib note='<b>bold</b>'", 'zlib note=*', 'zlib note=plain', 'zlib target=aarch64:', 'zlib target=x86_64:', 'zlib os=ubuntu22.04', 'zlib@9', 'zlib@9 ~mpi target=zen5',
  '%gcc@13', '+mpi', 'target=x86_64_v2:', '@1.2', '/e', '/f', '/a', 'z* ~mpi', '^zlib', '*', 'zlibb', 'many', '<img', '%gcc@13 target=x86_64_v3 +mpi',
];
