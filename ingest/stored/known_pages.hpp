#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstring>
#include <optional>
#include <unordered_map>

#include "ingest/page/page.hpp"

namespace cacheledger {

/// All pages of the ledger by digest. A text with a known digest is not parsed again.
class KnownPages {
  public:
    explicit KnownPages(SQLite::Database& database);

    /// nullptr if the text is new. Several threads may call this at once.
    const KnownPage* find(const Digest& digest) const;

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

/// Finds pages of the ledger one at a time. For a run that needs few of them and writes new ones
/// meanwhile.
class PageLookup {
  public:
    explicit PageLookup(SQLite::Database& database);

    std::optional<KnownPage> find(const Digest& digest);

  private:
    SQLite::Statement select_;
};

}  // namespace cacheledger
