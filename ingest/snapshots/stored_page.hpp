#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/looks/conflicts.hpp"
#include "ingest/page/page.hpp"

namespace cacheledger {

/// What the ledger has of a package's page in one snapshot: its specs, what it said otherwise than
/// the first readings of them, which is kept as findings, and what else was noticed of it. All
/// together tell what it said.
class StoredPage {
  public:
    /// `database` must outlive it.
    StoredPage(SQLite::Database& database, std::int64_t snapshot_id, std::int64_t page_id,
               const std::string& package);

    /// Whether `page`, of the same package and with its specs, says the same. Spelling and order
    /// mean nothing. What is noticed of a page is content: it tells of what is not stored. A
    /// compiler or a size that `page` lacks is a difference only where no other page or index can
    /// have given it: what the ledger has of two does not tell whose it is.
    bool says(const Page& page);

  private:
    struct Spec {
        Attributes attributes;
        std::optional<std::string> stacks;
        std::optional<std::string> size;
    };
    using Findings = std::multiset<std::pair<std::string, std::string>>;  // kind, detail

    bool is_node(const std::string& hash);
    bool is_of_other_page(const std::string& hash);
    bool differs_in_what_is_given(const std::string& hash, const Spec& known,
                                  const SpecEntry& given);
    bool has_findings(const Page& page) const;
    bool has_missing(const std::vector<std::string>& with_compilers) const;

    SQLite::Database& database_;
    std::int64_t page_id_;
    std::string package_;
    std::map<std::string, Spec> specs_;  // by hash
    Findings findings_;  // that do not depend on the order in which pages are loaded
    std::multiset<std::string> conflicts_;
    std::optional<std::string> compiler_missing_;
    std::optional<std::set<std::string>> of_other_pages_;  // hashes
};

}  // namespace cacheledger
