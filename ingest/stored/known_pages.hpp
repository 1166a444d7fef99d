#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstring>
#include <optional>
#include <unordered_map>

#include "ingest/page/page.hpp"

namespace cacheledger {

// Two ways to find the ledger's page of a digest. Both return nullopt if the ledger has none.

/// All pages that the ledger had when this was made, in memory. For runs that read many pages.
class KnownPages {
  public:
    explicit KnownPages(SQLite::Database& database);

    /// Several threads may call this at once.
    std::optional<KnownPage> find(const Digest& digest) const;

  private:
    // A digest is random enough: its first bytes serve as a hash.
    struct Hash {
        std::size_t operator()(const Digest& digest) const {
            std::size_t value = 0;
            std::memcpy(&value, digest.data(), sizeof value);
            return value;
        }
    };
    std::unordered_map<Digest, KnownPage, Hash> pages_;
};

/// Asks the ledger for one page at a time. For runs that read few of the ledger's pages and write
/// new ones meanwhile: their memory must not grow with the ledger. For one thread.
class PageLookup {
  public:
    explicit PageLookup(SQLite::Database& database);

    std::optional<KnownPage> find(const Digest& digest);

  private:
    SQLite::Statement select_;
};

}  // namespace cacheledger
