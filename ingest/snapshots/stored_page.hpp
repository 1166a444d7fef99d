#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/ids/conflicts.hpp"
#include "ingest/page/page.hpp"

namespace cacheledger {

/// What the ledger has of a package's page in one snapshot: its specs, and what it said otherwise
/// than the first readings of them, which is kept as findings. Both together tell what it said.
class StoredPage {
  public:
    /// `database` must outlive it.
    StoredPage(SQLite::Database& database, std::int64_t snapshot_id, std::int64_t page_id,
               const std::string& package);

    /// Whether `page`, of the same package and with its specs, says the same. Spelling and order
    /// mean nothing. A compiler or a size that `page` lacks is a difference only where no other
    /// page can have given it: what the ledger has of two pages does not tell whose it is.
    bool says(const Page& page);

  private:
    struct Spec {
        Attributes attributes;
        std::optional<std::string> stacks;
        std::optional<std::string> size;
    };

    bool is_of_other_page(const std::string& hash);
    bool differs_in_what_is_given(const std::string& hash, const Spec& known,
                                  const SpecEntry& given);
    bool has_missing(const std::vector<std::string>& with_compilers) const;

    SQLite::Database& database_;
    std::int64_t page_id_;
    std::string package_;
    std::map<std::string, Spec> specs_;  // by hash
    std::multiset<std::string> conflicts_;
    std::optional<std::string> compiler_missing_;
    std::optional<std::set<std::string>> of_other_pages_;  // hashes
};

}  // namespace cacheledger
