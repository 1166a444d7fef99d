#pragma once

#include <optional>
#include <string_view>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/queries/spec_options.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Reads one spec as users of Spack write it: "hdf5@1.14: +mpi ~ipo api=default %gcc@13
/// target=x86_64_v3 os=ubuntu22.04 /abc1234 ^zlib@1.3". The grammar is that of Spack 1.2
/// (spack/spec_parser.py):
///
/// - What stands behind '%' or '^' and a package belongs to that package: "hdf5 %gcc +mpi" asks for
///   gcc+mpi.
/// - A dependency that is asked again, by the same name and deptypes, is one that is asked for
/// both.
/// - A value ends before the next blank.
/// - A compiler has its new name, whichever is given: "%clang" asks for llvm.
///
/// A text that Spack before 1.0 printed ("hdf5@1.14%gcc@12+mpi arch=linux-rhel8-zen2") is read by
/// the grammar of its time, even if `syntax` is the one of today.
///
/// What this does not read, because the ledger could not answer it: files (./spec.json), conditions
/// (^[when=...]), and values that depend on a machine (os=default_os). Names of toolchains are
/// taken for packages.
///
/// Throws SpecError.
SpecQuery parse_spec(std::string_view text, SpecSyntax syntax = SpecSyntax::spack_1);

/// Throws SpecError if a range of targets in the query, which `text` says, ends at a target that
/// neither the program nor the ledger knows. What a ledger knows is learnt when it is opened, which
/// is after the options of most commands are read.
void require_known_targets(const SpecQuery& query, std::string_view text);

/// The same text as Spack before 1.0 meant it: "hdf5 %gcc +mpi" asks for hdf5+mpi. nullopt if that
/// is what parse_spec() makes of it, or if it was no spec.
std::optional<SpecQuery> parse_as_before_1_0(std::string_view text);

}  // namespace cacheledger
