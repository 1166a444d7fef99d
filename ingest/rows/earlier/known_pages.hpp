#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

// Two ways to find the ledger's page of a digest. Both return nullopt if the ledger has none.

/// All pages that the ledger had when this was made, in memory. For runs that read many pages.
class KnownPages {
  public:
    explicit KnownPages(SQLite::Database& database);

    /// Several threads may call this at once.
    std::optional<KnownPage> find(const Digest& digest) const;

  private:
    // Without texts, which took a fifth of the time of reading 15,000 pages.
    struct Row {
        std::int64_t page_id = 0;
        std::int64_t package_id = 0;
        std::size_t num_specs = 0;
        std::size_t tag = 0;  // in `tags_`
    };
    std::unordered_map<Digest, Row, KeyedHash> pages_;
    std::unordered_map<std::int64_t, std::string> packages_;
    std::vector<std::optional<std::string>> tags_;
};

/// Asks the ledger for one page at a time. For runs that read few of the ledger's pages and write
/// new ones meanwhile: their memory must not grow with the ledger. For one thread.
class PageLookup {
  public:
    explicit PageLookup(SQLite::Database& database);

    std::optional<KnownPage> find(const Digest& digest);

  private:
    Select<std::int64_t, std::string, std::optional<std::string>, std::size_t> select_;
};

}  // namespace cacheledger
