#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/graphs/graph/hash_table.hpp"
#include "ingest/pages/page/page.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// The ids of package, version, arch, variant set and compiler of a look. 0 stands for NULL.
using LookKey = std::array<std::int64_t, 5>;

/// Whether it is the look of a spec that no source described: another spec needs it.
inline bool is_only_named(const LookKey& key) {
    return key == LookKey{key[0]};
}

/// A look in words: package, version, compiler, platform, os, target, variants. "none" stands for
/// no compiler or no variants.
using Attributes = std::array<std::string, 7>;
inline constexpr std::size_t compiler_attribute = 2;

/// A "hash-conflict": the attributes in which `source` differs from what is known. nullopt if there
/// is no difference; a missing compiler matches any (docs/formats.md, "Compilers").
std::optional<PageFinding> hash_conflict(const DagHash& hash, const Attributes& known,
                                         const Attributes& given,
                                         const std::string& source = "the page",
                                         Kept kept = Kept::known);

/// A "hash-conflict" about a size.
PageFinding size_conflict(const DagHash& hash, const std::string& known, const std::string& given,
                          const std::string& source = "the page");

/// A "hash-conflict": the package `other` has the hash, and `source` gives it to `given` as well.
PageFinding claim(const DagHash& hash, const std::string& other, const std::string& given,
                  const std::string& source = "the page");

/// The beginning of the detail of each claim() with this hash, and of no other "hash-conflict".
std::string claim_beginning(const DagHash& hash);

/// The detail of a "compiler-missing" finding. `specs`: how many specs it is about. `first`: one of
/// them, with the compiler that the page gives, as with_compiler() returns it.
std::string compiler_missing_detail(std::size_t specs, const std::string& first);
std::string with_compiler(const DagHash& hash, const Attributes& given);

/// Collects the conflicts of one page, or of one package of a graph: hashes that the ledger knows
/// with other values. Each difference becomes a finding. Of two pages, the values of the first
/// reading stay.
class Conflicts {
  public:
    /// `source`: what says otherwise, for the findings.
    explicit Conflicts(SQLite::Database& database, std::string source = "the page")
        : database_(database), source_(std::move(source)) {}

    /// Adds a spec of the page's package: its first reading was `known`, the page says `given`. A
    /// missing compiler alone is not a "hash-conflict".
    void add(const DagHash& hash, const LookKey& known, const LookKey& given,
             Kept kept = Kept::known);

    /// Adds a spec with another size than in its first reading.
    void add_size(const DagHash& hash, const std::string& known, const std::string& given) {
        findings_.push_back(size_conflict(hash, known, given));
    }

    /// Adds a spec whose hash another package has as well: a claim().
    void add_claim(const DagHash& hash, const LookKey& other, const LookKey& given);

    /// Adds a spec of which the source says something else than its look otherwise: a text of
    /// difference_of_better().
    void add_other(const DagHash& hash, std::string difference);

    /// One "hash-conflict" for each hash. One "compiler-missing" for all specs whose first reading
    /// lacks only the compiler: Spack prints the compiler of a spec on some pages and not on others
    /// (docs/formats.md, "Compilers").
    std::vector<PageFinding> findings() const;

  private:
    SQLite::Database& database_;
    std::string source_;
    std::vector<PageFinding> findings_;
    std::size_t without_compiler_ = 0;
    std::string first_without_compiler_;
};

/// A spec that the ledger has.
struct KnownSpec {
    std::int64_t spec_id = 0;
    std::int64_t look_id = 0;
    std::int64_t package_id = 0;
};

/// Specs by hash. A hash that several packages claim has several specs.
class SpecTable {
  public:
    /// One that is there stays as it is.
    void insert(const DagHash& hash, const KnownSpec& spec);

    /// The spec with this hash, or nullptr; of several that with the lowest id. The pointer is
    /// valid until the next insert().
    const KnownSpec* find(const DagHash& hash) const { return first_.find(hash); }

    /// The spec with this hash and package, or nullptr.
    const KnownSpec* find(const DagHash& hash, std::int64_t package_id) const;

    /// Changes the look of the spec with this hash and package, if it is there.
    void set_look(const DagHash& hash, std::int64_t package_id, std::int64_t look_id);

    /// Makes room for so many more.
    void reserve(std::size_t more) { first_.reserve(first_.size() + more); }

    std::size_t size() const { return first_.size() + further_.size(); }

  private:
    HashTable<KnownSpec> first_;
    std::map<std::pair<DagHash, std::int64_t>, KnownSpec> further_;  // hardly ever any
};

/// Drops indexes while their tables are filled for the first time, and makes them again afterwards:
/// sorting all keys once takes a third of the time of inserting them in random order. Use it within
/// one transaction; nothing may search by these indexes before restore().
class DeferredIndexes {
  public:
    /// Drops the indexes with these names.
    DeferredIndexes(SQLite::Database& database, const std::vector<std::string>& names);

    /// Makes the indexes again, with the planner statistics that they had. A second call does
    /// nothing.
    void restore();

  private:
    SQLite::Database& database_;
    std::vector<std::string> statements_;
};

/// Finds specs and looks in the ledger, and writes new ones. A ledger has many: each is looked up
/// when it is first met, and then remembered up to a limit, so time and memory of a run do not grow
/// with the history. Writes in the caller's transaction; after a rollback this object must not be
/// used again. Rows wait in memory: call flush() before they are read, and before the transaction
/// is committed.
class SpecRows {
  public:
    using Id = std::int64_t;

    explicit SpecRows(SQLite::Database& database);

    /// Says that many specs may be looked up: all are read at once when so many were that it would
    /// have been the sooner way.
    void may_read_all() { may_read_all_ = true; }

    /// Remembers a spec that was read from the ledger; reserve() makes room for so many.
    void reserve(std::size_t specs) { known_->specs.reserve(specs); }
    void remember(const DagHash& hash, const KnownSpec& spec) { known_->specs.insert(hash, spec); }

    /// The first spec of this hash, or nullptr. The pointer is valid until the next call.
    const KnownSpec* find(const DagHash& hash);

    /// The spec of this hash and package, or nullptr. Call it after find(), which then gave
    /// something.
    const KnownSpec* find(const DagHash& hash, Id package_id);

    /// Writes a spec that the ledger does not have, with this look.
    KnownSpec insert(const DagHash& hash, const LookKey& key, std::optional<std::string> size);

    /// Gives a spec another look of the same package, wherever it is present. Needs the table
    /// presence as it is: no history may hold rows of it in memory. Slow; call write_specs() first.
    void change_look(const DagHash& hash, const KnownSpec& spec, Id look_id);

    /// The look of these values.
    Id look(const LookKey& key);
    const LookKey& key_of(Id look_id);

    /// Writes specs that wait, without making indexes again.
    void write_specs();

    /// Forgets all that is remembered. Call this after specs were deleted from the ledger.
    void forget();

    /// Writes everything that waits. If the ledger was empty, its indexes are made only now, those
    /// of other tables too; so call this after all other writes.
    void flush();

    /// The number of specs that were written.
    std::int64_t new_specs() const { return new_specs_; }

  private:
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
        std::pmr::unordered_map<LookKey, Id, KeyedHash> looks{&memory};
        std::pmr::unordered_map<Id, LookKey> look_keys{&memory};
    };

    void remember_all();
    void look_up(const DagHash& hash);
    void remember_look(Id look_id, const LookKey& key);

    SQLite::Database& database_;
    Select<Id, Id> select_specs_;
    Select<Id> select_look_;
    Select<Id, Id, Id, Id, Id> select_look_key_;  // 0 is NULL
    Write update_spec_, update_presence_;
    BatchInsert<Id, Id, std::optional<Id>, std::optional<Id>, std::optional<Id>, std::optional<Id>>
        insert_look_;
    BatchInsert<Id, FixedText<std::tuple_size_v<DagHash>>, Id, std::optional<std::string>>
        insert_spec_;
    std::unique_ptr<Memory> known_ = std::make_unique<Memory>();
    std::vector<NewSpec> waiting_specs_;
    std::vector<Id> series_;  // in which change_look() looks for presence
    // Whether the ledger may have looks and specs that are not remembered.
    bool ask_ledger_, may_read_all_ = false;
    Id looked_up_ = 0;
    std::optional<DeferredIndexes> deferred_indexes_;
    Id next_spec_id_ = 1;
    Id next_look_id_ = 1;
    std::int64_t new_specs_ = 0;
};

}  // namespace cacheledger
