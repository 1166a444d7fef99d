#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/ids/conflicts.hpp"
#include "ingest/ids/deferred_indexes.hpp"
#include "ingest/ids/spec_table.hpp"
#include "ingest/ids/words.hpp"
#include "ingest/page/page.hpp"
#include "schema/sqlite/batch_insert.hpp"

namespace cacheledger {

/// Finds the ids of looks, specs, pages and their words in the ledger, and writes the new ones. A
/// ledger has many specs and looks: each is looked up when it is first met, and then remembered up
/// to a limit, so time and memory of a run do not grow with the history. Writes in the caller's
/// transaction; after a rollback the dictionary must not be used again. Specs, looks and pages wait
/// in memory: call flush() before they are read, and before the transaction is committed.
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
    std::int64_t add_page(const Page& page, std::int64_t package_id);

    /// Forgets all remembered specs. Call this after specs were deleted from the ledger.
    void forget_specs();

    /// Writes everything that waits. If the ledger was empty, its indexes are made only now, those
    /// of other tables too; so call this after all other writes.
    void flush();

    /// The number of specs that this dictionary has written.
    std::int64_t new_specs() const { return new_specs_; }

  private:
    using Id = std::int64_t;

    struct LookHash {
        std::size_t operator()(const LookKey& key) const;
    };

    struct NewSpec {
        Id spec_id = 0;
        DagHash hash{};
        Id look_id = 0;
        std::optional<std::string> size;
    };

    // What is remembered of specs and looks. It is many small objects, which are freed together.
    struct Memory {
        std::pmr::monotonic_buffer_resource memory;
        SpecTable specs;
        std::pmr::unordered_map<LookKey, Id, LookHash> looks{&memory};
        std::pmr::unordered_map<Id, LookKey> look_keys{&memory};
    };

    const KnownSpec* find_spec(const DagHash& hash);
    const LookKey& key_of(Id look_id);
    void remember_look(Id look_id, const LookKey& key);
    void forget_if_many();
    Id look(const LookKey& key);
    LookKey look_key(Id package_id, const SpecEntry& entry);
    Spec insert_spec(const SpecEntry& entry, const LookKey& key);
    void compare_size(Id spec_id, const SpecEntry& entry, Conflicts& conflicts);
    void write_specs();

    SQLite::Database& database_;
    Words words_;
    SQLite::Statement select_specs_, select_look_, select_look_key_;
    BatchInsert<Id, Id, Id, Id, Id, std::optional<Id>> insert_look_;
    BatchInsert<Id, FixedText<std::tuple_size_v<DagHash>>, Id, std::optional<std::string>>
        insert_spec_;
    BatchInsert<Id, Digest, Id, std::optional<std::string>, Id> insert_page_;
    std::unique_ptr<Memory> known_ = std::make_unique<Memory>();
    std::vector<NewSpec> waiting_specs_;
    // Whether the ledger may have looks and specs that are not remembered.
    bool ask_ledger_;
    std::optional<DeferredIndexes> deferred_indexes_;
    Id next_spec_id_ = 1;
    Id next_look_id_ = 1;
    Id next_page_id_ = 1;
    std::int64_t new_specs_ = 0;
};

}  // namespace cacheledger
