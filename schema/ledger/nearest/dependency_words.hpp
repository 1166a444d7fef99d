#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>

#include "schema/specs/constraints/answer.hpp"
#include "schema/specs/matching/spec_words.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// What a spec has instead of a dependency that is asked, which it does not have, or of which that
/// is not known. One of
///
///   compiler: gcc@13 -> gcc@12.3.0             the compiler that the spec shows
///   ^openmpi: 5 -> 4.1.6, +cuda                how the nearest build of that package differs
///   %c: gcc -> llvm@17.0.6                     what it uses for that virtual package
///   %[deptypes=build]zlib: needed for link     it needs a build that matches, for something else
///   ^openmpi@5: not among its dependencies
///   ^openmpi@5: dependencies are not known     as those of builds on pages
///   ^mpi=openmpi: not known                    some word of them is not, such as the virtuals
std::string dependency_words(SQLite::Database& database, const DependencyQuery& asked,
                             Answer answer, std::int64_t spec_id, const SpecWords& spec);

/// "dependencies: openmpi, zlib": the packages of which the specs with these hashes use other
/// builds. Empty if there are none, or the dependencies of one of the two are not known.
std::string words_of_other_builds(SQLite::Database& database, const std::string& hash,
                                  const std::string& other);

}  // namespace cacheledger
