#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include "ingest/page.hpp"

namespace cacheledger {

/// The page texts that the ledger has, by digest: such a text is not parsed again.
class KnownPages {
  public:
    struct Entry {
        std::int64_t page_id = 0;
        std::string package;
        std::optional<std::string> tag;
        std::size_t num_specs = 0;

        /// The page, without its specs, where its text lies at `path`.
        Page page_at(const std::string& path, const Digest& digest) const {
            return {path, digest, package, tag, num_specs, page_id, {}, {}, {}};
        }
    };

    explicit KnownPages(SQLite::Database& database);

    /// Nothing where the text is new. Safe to call from several threads.
    const Entry* find(const Digest& digest) const;

  private:
    // A digest is as good as random: its first bytes are a hash already.
    struct Hash {
        std::size_t operator()(const Digest& digest) const {
            std::size_t value = 0;
            std::memcpy(&value, digest.data(), sizeof value);
            return value;
        }
    };
    std::unordered_map<Digest, Entry, Hash> entries_;
};

/// The same, asked for one by one: for a run that meets few of them at a time, and writes more.
class PageLookup {
  public:
    explicit PageLookup(SQLite::Database& database);

    std::optional<KnownPages::Entry> find(const Digest& digest);

  private:
    SQLite::Statement select_;
};

}  // namespace cacheledger
