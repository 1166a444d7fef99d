#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstring>
#include <optional>
#include <unordered_map>

#include "ingest/page/page.hpp"

namespace cacheledger {

/// The pages that the ledger has, by digest: such a text is not parsed again.
class PageIds {
  public:
    explicit PageIds(SQLite::Database& database);

    /// Nothing where the text is new. Safe to call from several threads.
    const KnownPage* find(const Digest& digest) const;

  private:
    // A digest is as good as random: its first bytes are a hash already.
    struct Hash {
        std::size_t operator()(const Digest& digest) const {
            std::size_t value = 0;
            std::memcpy(&value, digest.data(), sizeof value);
            return value;
        }
    };
    std::unordered_map<Digest, KnownPage, Hash> pages_;
};

/// The same, asked for one by one: for a run that meets few of them at a time, and writes more.
class PageLookup {
  public:
    explicit PageLookup(SQLite::Database& database);

    std::optional<KnownPage> find(const Digest& digest);

  private:
    SQLite::Statement select_;
};

}  // namespace cacheledger
