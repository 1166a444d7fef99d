#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "schema/specs/queries/spec_query.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// How many digits of a hash people are shown at least.
inline constexpr std::size_t fewest_hash_digits = 7;

/// Cuts hashes for people, to what still names them.
class HashShortener {
  public:
    explicit HashShortener(SQLite::Database& database);

    /// The first `fewest_hash_digits` of the hash, or more where another hash of the ledger begins
    /// so.
    std::string shorten(const std::string& hash);

  private:
    Select<std::optional<std::string>> before_, after_;
};

/// Lines for people where a query asks for a build hash, by which a lock file of version 2 or 3
/// calls a spec: which DAG hash it is. Empty if it asks for none that the ledger has.
std::vector<std::string> about_build_hash(SQLite::Database& database, const SpecQuery& query);

}  // namespace cacheledger
