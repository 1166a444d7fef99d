#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "ingest/rows/specs/conflicts.hpp"

namespace cacheledger {

/// A package's page in one snapshot, as the ledger has it: its specs, its conflicts with first
/// readings, and its findings. Together they tell what the page said.
class StoredPage {
  public:
    /// `database` must outlive it.
    StoredPage(SQLite::Database& database, std::int64_t snapshot_id, std::int64_t page_id,
               const std::string& package);

    /// Whether `page`, of the same package, says the same. Spelling and order are not content. The
    /// findings of a page are content: they tell of what is not stored. A compiler or a size that
    /// `page` lacks may come from another page or index with this spec; it is a difference only if
    /// there is none.
    bool says(const Page& page);

  private:
    struct Spec {
        Attributes attributes;
        std::optional<std::string> stacks;
        std::optional<std::string> size;
    };

    bool is_node(const std::string& hash);
    bool is_of_other_page(const std::string& hash);
    bool differs_in_what_is_given(const std::string& hash, const Spec& known,
                                  const SpecEntry& given);
    bool has_findings(const Page& page) const;
    void leave_out_claims(const DagHash& hash);
    bool has_missing(const std::vector<std::string>& with_compilers) const;

    SQLite::Database& database_;
    std::int64_t page_id_;
    std::string package_;
    std::map<std::string, Spec> specs_;  // by hash
    // Findings that do not depend on the order in which pages are loaded: kind, detail.
    std::vector<std::pair<std::string, std::string>> findings_;
    std::multiset<std::string> conflicts_;
    std::optional<std::string> compiler_missing_;
    std::optional<std::set<std::string>> of_other_pages_;  // hashes
};

}  // namespace cacheledger
