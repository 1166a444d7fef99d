// Specs of all kinds, also wrong ones. The builds that they ask for are those of spec_index.mjs.
export const specs = [
  // names and versions
  'hdf', 'hdf@1.14', 'hdf@1.14:', 'hdf@:1.14', 'hdf@=1.14', 'hdf@=1.14.3', 'hdf@1.12,1.14.5', 'hdf@1.12, 1.14.5', 'hdf@1.13:1.14', 'hdf@1:2', 'hdf@2:',
  'hdf@1.14.3:1.14.3', 'hdf@:', 'hdf@git.develop', 'hdf@git.develop=1.15', 'hdf@1.15', 'hdf@=1.15', 'hdf@1.15:', 'hdf@git.main', 'hdf@develop',
  'netcdf@4.9.3', 'netcdf@:4.9.3', 'netcdf@4.9.3-rc1', 'netcdf@4.9.3-rc1:', 'netcdf@main', 'netcdf@develop', 'netcdf@:main', 'netcdf@4.9.2:4.9',
  'netcdf@=main', 'netcdf@5:', 'builtin.hdf', 'site.extra.zlib', 'site_extra.zlib@1.3', 'spack_repo.builtin.hdf', 'zlib namespace=site.extra',
  'namespace=builtin', '@1.14', '@4:', '@1.3.1', 'gcc@12', 'llvm',
  'hdf@1234567890123456789012345678901234567890', 'hdf@1234567890123456789012345678901234567890=1.14',
  // variants
  'hdf+mpi', 'hdf +mpi', 'hdf ~mpi', 'hdf -mpi', 'hdf++mpi', 'hdf api=default', 'hdf api=v18,default', 'hdf api=*', 'hdf nothing=*', 'hdf ++nothing',
  'hdf nothing==1', '+nothing', 'openmpi fabrics=ucx', 'openmpi fabrics:=ucx', 'openmpi fabrics=ucx,ofi', 'openmpi fabrics:=ofi,ucx', 'gcc languages=c++',
  "gcc languages='c,c++'", "gcc languages:='c,c++'", 'mpi=True', 'mpi=FALSE', 'hdf patches=aabbccd', 'hdf patches=aabbccddeeff00112233',
  'hdf patches:=aabbccd', 'hdf patches=aabbccd,1234567', 'hdf patches=0000000', 'patches=*', 'zlib+pic~shared', '~cuda', '+clang', 'hdf api:=*',
  // compilers
  'hdf %gcc', 'hdf%gcc', 'hdf %gcc@13', 'hdf %gcc@12:13', 'hdf %gcc@=12.3.0', 'hdf %gcc@14:', 'hdf %clang', 'hdf %llvm@17', 'hdf %gcc +mpi', 'hdf %gcc@13+mpi',
  'hdf %c=gcc', 'hdf %c,cxx=gcc@13', 'hdf %c,cxx=llvm', 'hdf %cxx=llvm@17', 'hdf %fortran=gcc', 'hdf %[virtuals=c]gcc', 'hdf %[virtuals=c,cxx deptypes=build]gcc@13',
  'hdf %%gcc', 'hdf %[deptypes=link]gcc', 'netcdf %clang', 'netcdf %gcc', 'netcdf %llvm@16', '%gcc@12', '%clang', '%intel', 'netcdf %oneapi', 'hdf %gcc os=rhel8',
  'hdf %gcc@13 /hdf', 'hdf %[virtuals=c] languages=c++',
  // targets and systems
  'hdf target=zen4', 'hdf target=x86_64_v3', 'hdf target=x86_64_v3:', 'hdf target=:x86_64_v4', 'hdf target=x86_64:zen4', 'hdf target=aarch64:', 'hdf target=:',
  'hdf target=zen4,neoverse_v1', 'hdf target=my_cpu', 'hdf target=zen5:', 'target=aarch64:', 'target=haswell:zen4', 'os=rhel8', 'hdf os=ubuntu24.04',
  'platform=linux', 'hdf platform=darwin', 'arch=linux-rhel8-neoverse_v1', 'arch=linux-ubuntu24.04-x86_64_v3:', 'arch=None-None-zen4', 'arch=zen4',
  'hdf architecture=zen4', 'operating_system=rhel8', 'hdf target=icelake', 'hdf target=zen3', 'hdf target=m1',
  // flags
  'zlib cflags=-O2', "zlib cflags='-O2 -g'", 'zlib cflags="-g -O2"', 'zlib cflags==-O2', "hdf cxxflags='-O3'", 'hdf cflags=-O9', "cflags='-g'", "zlib cflags=''",
  // dependencies
  'hdf ^zlib', 'hdf ^zlib@1.3', 'hdf ^zlib@1.2', 'netcdf ^zlib@1.3', 'netcdf %zlib', 'hdf %zlib', 'hdf %zlib@1.3', 'netcdf ^openmpi+cuda', 'netcdf ^mpich', 'hdf ^mpi',
  'hdf ^mpi@3', 'netcdf ^mpi', 'hdf ^mpi=openmpi', 'hdf %mpi=mpich', 'hdf ^[virtuals=mpi]openmpi@5', 'hdf ^[virtuals=mpi]', 'hdf ^[deptypes=link]zlib',
  'hdf ^[deptypes=run]zlib', 'hdf ^[deptypes=build,link]openmpi', 'hdf ^[deptypes=all]zlib', 'hdf ^zlib %gcc@12', 'netcdf ^hdf+mpi ^zlib@1.3', 'netcdf ^hdf ~mpi',
  'netcdf ^hdf target=zen4', 'hdf ^zlib cflags=-O2', 'hdf ^zlib+shared', '^zlib@1.2', '^openmpi fabrics=ofi', 'hdf ^zlib /zlibofnew', 'netcdf ^hdf%gcc@12', 'hdf ^nothing',
  'hdf ^zlib@9', 'netcdf ^openmpi@9', 'hdf ^gcc', 'hdf ^gcc@12', 'hdf ^openmpi target=zen4', 'hdf %openmpi %zlib', 'hdf ^site.extra.zlib', 'hdf ^*', '^c', 'hdf ^c=llvm',
  'mpich ^mpi', 'netcdf ^hdf ^mpi', 'netcdf %hdf@1.12 %gcc', 'netcdf ^netcdf', 'hdf ^zlib target=x86_64:', 'hdf %zlib@1.2 ^openmpi@5',
  // hashes
  '/hdf', '/hdfofnew', 'hdf/hdfofold', 'hdf /z', '/zlibofnowhere', '/2222', 'hdfofnew222222222222222222222222', '/hdfofnew222222222222222222222222', 'zlib /hdfofold',
  'hdf@1.14 /hdf', '/o', '/netcdfofold +mpi',
  // patterns
  '*', 'hd*', 'hd* +mpi', '*f@1.14', 'n*@4.9: %gcc', 'z[l]ib', 'zlib?', 'q*', 'h* /hdf', 'z* /hdf', 'z* /qqqq', 'h*@9', 'z* ^hdf', 'h* ^zlib@9', 'z*@1 +pic', '[hz]* target=zen4', '* +mpi', 'hd* netcdf',
  // what is wrong
  'hdf@@', 'hdf@1.14:1.12', 'hdf@', 'hdf@1.', 'hdf@=1:2', 'hdf@1::2', 'hdf@git.', 'hdf@git.x=', 'hdf@1@2', 'hdf +', 'hdf ++', 'hdf ~', 'hdf +mpi +mpi', 'hdf +mpi ~mpi', 'hdf api=',
  'hdf api==', "hdf api='v18", 'hdf api=true,v18', 'hdf api=*,v18', 'hdf %', 'hdf ^', 'hdf %%', 'hdf %[', 'hdf %[virtuals]gcc', 'hdf %[virtuals=c', 'hdf %[virtuals=,]gcc',
  'hdf %[when=x]gcc', 'hdf %[deptypes=never]gcc', 'hdf target=nothing:', 'hdf target=:nothing', 'hdf target=zen4,', 'hdf target=zen-4', 'hdf target=zen4 target=zen3', 'hdf os=default_os',
  'hdf os=a os=b', 'hdf os=a:b', 'hdf arch=a-b', 'hdf arch=a-b-c-d', 'hdf target==zen4', 'hdf /', 'hdf / x', 'hdf zlib', 'hdf !', '!', '.', './hdf.json', 'a/b.yaml', 'hdf /a /b',
  'hdf platform=$', "hdf cflags='-O2\\'", 'hdf cflags="-O2', 'hdf ^zlib!', 'hdff', 'kokos', 'h', 'zilb', '1.14', 'hdf @1.14 é', 'é', 'hdf*=1 !', 'hdf "x"', 'hdf@1.14 x', '%gcc gcc',
  '=', 'hdf=1', 'hdf %c=', 'hdf %c,=gcc', 'hdf namespace=', 'hdf@1,', 'hdf@,1', ' hdf', 'hdf ', '\thdf  +mpi',
];

/// Specs for the builds of hostile_pages.mjs, of which only what pages tell is known.
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
