#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

class SearchMemory;

/// The specs that a query asks for.
struct MatchingSpecs {
    std::vector<std::int64_t> specs;    ///< spec_id, ascending
    std::vector<std::int64_t> unknown;  ///< may match: no source said enough about them
};

/// Finds them in a snapshot. Dependencies ("^zlib@1.3", "%cmake") are looked for among all specs
/// that the ledger knows, whether the snapshot has them or not. A spec whose dependencies no source
/// gave is unknown. Takes milliseconds for a package, and some hundred for a query without one.
/// `packages`: only specs of packages that match this pattern, for a query without a package.
MatchingSpecs matching_specs(SQLite::Database& database, std::int64_t snapshot_id,
                             const SpecQuery& query, const std::string& packages = "*");

/// Finds them in the whole ledger.
MatchingSpecs matching_specs(SQLite::Database& database, const SpecQuery& query);

/// Why nobody knows whether these specs match, each reason once: "pages do not list dependencies,
/// flags and patches", "what the target zen9 runs is not known", "only recipes say which versions
/// of mpi a package provides", "no source says enough of them".
std::set<std::string> why_unknown(SQLite::Database& database, const SpecQuery& query,
                                  const std::vector<std::int64_t>& unknown);

/// The same with their number: "3 more builds may match: pages do not list dependencies, ...".
/// nullopt if there are none.
std::optional<std::string> words_of_unknown(SQLite::Database& database, const SpecQuery& query,
                                            const std::vector<std::int64_t>& unknown);

/// A spec of the ledger with its look.
struct SpecAndLook {
    std::int64_t spec_id = 0;
    std::int64_t look_id = 0;
};

/// What the compiler that a page shows, the first of those for C, C++ and Fortran, says of what is
/// asked for one of these languages ("%cxx=gcc").
enum class ShownCompiler : unsigned char {
    of_all_languages,  ///< it is taken for the compiler of each
    first_language,    ///< only what is sure: another one is not that of C
};

/// Those of `specs` that match. They must be of the package that the query names, and it must ask
/// for no hash. `memory`: for those who ask many queries.
MatchingSpecs matching_specs(SQLite::Database& database, const SpecQuery& query,
                             const std::vector<SpecAndLook>& specs, SearchMemory* memory = nullptr,
                             ShownCompiler shown = ShownCompiler::of_all_languages);

}  // namespace cacheledger
