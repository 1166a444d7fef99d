// The index of a build cache whose builds have all that a spec can ask for: compilers as dependencies and as annotations, virtuals, flags,
// patches, namespaces, and a dependency that the index does not describe. Its hashes are made up.
import fs from 'node:fs';

const hash = (name) => name.replace(/[^a-z2-7]/g, '').padEnd(32, '2').slice(0, 32);
const nameOf = (id) => id.replace(/-of-.*/, '');
const need = (id, deptypes, virtuals = []) => ({ name: nameOf(id), hash: hash(id), parameters: { deptypes, virtuals } });
const no_flags = { cflags: [], cppflags: [], cxxflags: [], fflags: [], ldflags: [], ldlibs: [] };

function node(id, version, {
  target = 'x86_64_v3', os = 'ubuntu24.04', parameters = {}, needs = [], namespace = 'builtin', compiler, annotation, patches, form = 5,
}) {
  return {
    name: nameOf(id), version, arch: { platform: 'linux', platform_os: os, target }, namespace,
    parameters: { build_system: 'generic', ...no_flags, ...parameters }, ...(patches && { patches }), package_hash: `${hash(id)}====`,
    ...(compiler && { compiler }), dependencies: needs,
    annotations: { original_specfile_version: form, ...(annotation && { compiler: annotation }) }, hash: hash(id),
  };
}

const compilers = (name) => need(name, ['build'], ['c', 'cxx']);

const nodes = [
  node('gcc-of-old', '12.3.0', { parameters: { languages: ['c', 'c++'] } }),
  node('gcc-of-new', '13.2.0', { parameters: { languages: ['c', 'c++', 'fortran'] } }),
  node('llvm-of-all', '17.0.6', { parameters: { clang: true } }),
  node('zlib-of-old', '1.2.13', { parameters: { shared: true, pic: true }, needs: [compilers('gcc-of-old')] }),
  node('zlib-of-new', '1.3.1', { parameters: { shared: false, pic: true, cflags: ['-O2', '-g'] }, needs: [compilers('gcc-of-new')] }),
  node('zlib-of-site', '1.3.1', { parameters: { shared: true, pic: true }, namespace: 'site.extra', needs: [compilers('llvm-of-all')] }),
  node('openmpi-of-four', '4.1.6', {
    parameters: { cuda: false, fabrics: ['ucx', 'ofi'] },
    needs: [need('zlib-of-old', ['build', 'link']), compilers('gcc-of-old')],
  }),
  node('openmpi-of-five', '5.0.3', {
    parameters: { cuda: true, fabrics: ['ucx'] }, target: 'zen4',
    needs: [need('zlib-of-new', ['build', 'link']), compilers('gcc-of-new')],
  }),
  node('mpich-of-all', '4.2.0', { parameters: { fabrics: 'auto' }, needs: [compilers('llvm-of-all')] }),
  node('hdf-of-old', '1.12.3', {
    parameters: { mpi: true, api: 'v18', cxxflags: ['-O3'] }, patches: ['aabbccddeeff00112233', '1234567890abcdef'],
    needs: [need('zlib-of-old', ['link']), need('openmpi-of-four', ['build', 'link'], ['mpi']), compilers('gcc-of-old')],
  }),
  node('hdf-of-new', '1.14.3', {
    parameters: { mpi: true, api: 'default' }, target: 'zen4',
    needs: [need('zlib-of-new', ['link']), need('openmpi-of-five', ['build', 'link'], ['mpi']), compilers('gcc-of-new')],
  }),
  node('hdf-of-mpich', '1.14.3', {
    parameters: { mpi: true, api: 'default' }, target: 'neoverse_v1', os: 'rhel8',
    needs: [need('zlib-of-site', ['link']), need('mpich-of-all', ['build', 'link'], ['mpi']), compilers('llvm-of-all')],
  }),
  node('hdf-of-none', '1.14.5', {
    parameters: { mpi: false, api: 'default' }, target: 'my_cpu', annotation: 'gcc@13.2.0',
    needs: [need('zlib-of-nowhere', ['link'])],
  }),
  node('hdf-of-git', 'git.develop=1.15', {
    parameters: { mpi: false, api: 'v114' }, form: 4, compiler: { name: 'gcc', version: '13.2.0' },
    needs: [need('zlib-of-new', ['link'])],
  }),
  node('netcdf-of-old', '4.9.2', {
    needs: [need('hdf-of-old', ['build', 'link']), compilers('gcc-of-old')], form: 4, compiler: { name: 'clang', version: '17.0.6' },
  }),
  node('netcdf-of-new', '4.9.3-rc1', { needs: [need('hdf-of-new', ['build', 'link']), compilers('gcc-of-new')] }),
  node('netcdf-of-none', 'main', { needs: [need('hdf-of-none', ['run'])] }),
];

/// Writes the index to a file.
export function writeSpecIndex(file) {
  const installs = Object.fromEntries(nodes.map((spec) => [spec.hash, { spec, ref_count: 0, in_buildcache: true }]));
  fs.writeFileSync(file, JSON.stringify({ database: { version: '8', installs } }));
}
