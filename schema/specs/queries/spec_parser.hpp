#pragma once

#include <string_view>
#include <vector>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Reads one spec as users of Spack write it: "hdf5@1.14: +mpi ~ipo api=default %gcc@13
/// target=x86_64_v3 os=ubuntu22.04 /abc1234 ^zlib@1.3". The grammar is that of Spack 1.0, with the
/// meaning that specs had before wherever old text would otherwise mean something that no cache
/// has:
///
/// - Options behind a plain compiler belong to the spec before it: "hdf5 %gcc@13 +mpi" asks for
///   hdf5+mpi. Behind "%c,cxx=gcc", "%[...]gcc" or "%%gcc", which are new, they belong to the
///   compiler, and so they do behind any other "%package".
/// - Spack takes all characters up to the next blank for a value. Here the value of a variant ends
///   before '%' and '^', too ("api=v18%gcc"), and a platform, an operating system and a target also
///   before '/', '+' and '~' ("arch=linux-rhel8-zen2/abc1234"): none has them.
/// - A compiler has its new name, whichever is given: "%clang" asks for llvm.
///
/// What this does not read, because the ledger could not answer it: files (./spec.json), conditions
/// (^[when=...]), and values that depend on a machine (os=default_os). Names of toolchains are
/// taken for packages.
///
/// Throws SpecError.
SpecQuery parse_spec(std::string_view text);

/// Reads several specs, which a blank separates where one can't go on: "hdf5+mpi zlib@1.3". Throws
/// SpecError.
std::vector<SpecQuery> parse_specs(std::string_view text);

}  // namespace cacheledger
