#pragma once

#include <SQLiteCpp/Database.h>

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
        std::int64_t package_id = 0;
        std::string package;
        std::optional<std::string> tag;
        std::size_t num_specs = 0;
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

}  // namespace cacheledger
