#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ingest/pages/page/page.hpp"
#include "ingest/rows/specs/conflicts.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "ingest/rows/words/words.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"

namespace cacheledger {

/// Finds the ids of what pages say in the ledger (specs, pages and their words), and writes the new
/// ones. Writes in the caller's transaction; after a rollback the dictionary must not be used
/// again. Specs, looks and pages wait in memory: call flush() before they are read, and before the
/// transaction is committed.
class Dictionary {
  public:
    explicit Dictionary(SQLite::Database& database);

    struct Spec {
        std::int64_t spec_id = 0;
        std::int64_t look_id = 0;
    };

    std::int64_t package(const std::string& name) { return words_.package(name); }

    /// Call this before spec() and stack_set() for each page, with its Page::values.
    void begin_page(const std::shared_ptr<const void>& values) { words_.begin_page(values); }

    /// The id of the stack set; 0 for nullptr.
    std::int64_t stack_set(const Shared<StackSet>* set) { return words_.stack_set(set); }

    /// The spec of this hash and package, with the look of its first reading. If the entry differs
    /// from that, or another package has the hash, adds this to `conflicts`.
    Spec spec(std::int64_t package_id, const SpecEntry& entry, Conflicts& conflicts);

    /// Writes the page, without its findings, and returns its id. The ledger must not have a page
    /// with this digest.
    std::int64_t add_page(const PageHead& page, std::int64_t package_id);

    /// For who writes other things than pages (ingest/rows/nodes/node_rows.hpp).
    Words& words() { return words_; }
    SpecRows& specs() { return specs_; }

    /// Forgets all remembered specs. Call this after specs were deleted from the ledger.
    void forget_specs();

    /// Writes everything that waits. If the ledger was empty, its indexes are made only now, those
    /// of other tables too; so call this after all other writes.
    void flush();

    /// The number of specs that this dictionary has written.
    std::int64_t new_specs() const { return specs_.new_specs(); }

  private:
    using Id = std::int64_t;

    Spec insert_spec(const SpecEntry& entry, const LookKey& key);
    void compare_size(Id spec_id, const SpecEntry& entry, Conflicts& conflicts);

    SQLite::Database& database_;
    Words words_;
    SpecRows specs_;
    BatchInsert<Id, Digest, Id, std::optional<std::string>, Id> insert_page_;
    Id next_page_id_ = 1;
};

}  // namespace cacheledger
