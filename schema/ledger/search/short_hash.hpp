#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstddef>
#include <string>

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
    SQLite::Statement before_, after_;
};

}  // namespace cacheledger
