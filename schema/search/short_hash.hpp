#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <string>

namespace cacheledger {

/// Cuts hashes for people, to what still names them.
class HashShortener {
  public:
    explicit HashShortener(SQLite::Database& database);

    /// The first 7 characters of the hash, or more where another hash of the ledger begins so.
    std::string shorten(const std::string& hash);

  private:
    SQLite::Statement before_, after_;
};

}  // namespace cacheledger
