#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// The id of a shared value by its number, which `make` finds the first time. `ids`: 0 for those
/// that are not known yet.
template <typename Value, typename Make>
std::int64_t id_of_shared(std::vector<std::int64_t>& ids, const Shared<Value>& value,
                          const Make& make) {
    if (value.number >= ids.size()) {
        ids.resize(value.number + 1);
    }
    if (ids[value.number] == 0) {
        ids[value.number] = make();
    }
    return ids[value.number];
}

/// Finds the ids of words and sets (packages, versions, systems, compilers, variant sets, stack
/// sets) in the ledger, and writes new ones at once. They are few, so all are read at the start.
/// Writes in the caller's transaction; after a rollback this object must not be used again.
class Words {
  public:
    using Id = std::int64_t;

    explicit Words(SQLite::Database& database);

    Id package(const std::string& name) { return word(packages_, insert_package_, name); }

    /// Call this before the functions below for each page, with its Page::values.
    void begin_page(const std::shared_ptr<const void>& values);

    Id version(const Shared<Text>& version);
    Id arch(const Shared<Arch>& arch);
    /// 0 for nullptr.
    Id compiler(const Shared<Compiler>* compiler);
    Id variant_set(const Shared<VariantSet>& set);
    /// 0 for nullptr.
    Id stack_set(const Shared<StackSet>* set);

  private:
    using Known = TextMap<Id>;
    // By the number of a shared value; 0 if the id is not known yet.
    using Ids = std::vector<Id>;
    struct SharedIds {
        Ids versions, archs, compilers, variant_sets, stack_sets;
    };

    Id word(Known& known, const Write& insert, const std::string& text);

    SQLite::Database& database_;
    Write insert_package_, insert_version_, insert_arch_, insert_compiler_, insert_variant_,
        insert_variant_set_, insert_variant_set_member_, insert_stack_, insert_stack_set_,
        insert_stack_set_member_;
    Known archs_, variants_, packages_, versions_, compilers_, variant_sets_, stacks_, stack_sets_;
    // Nearly every shared value occurs many times. After the first time its number is enough to
    // find its id.
    std::map<std::weak_ptr<const void>, SharedIds, std::owner_less<>> ids_by_owner_;
    SharedIds* ids_ = nullptr;  // for the values of the current page
};

/// Finds the ids of what pages say in the ledger (specs, pages and their words), and writes the new
/// ones. Writes in the caller's transaction; after a rollback the dictionary must not be used
/// again. Specs, looks and pages wait in memory: call flush() before they are read, and before the
/// transaction is committed.
class Dictionary {
  public:
    explicit Dictionary(SQLite::Database& database);

    Words words;
    SpecRows specs;

    /// The spec of this hash and package, with the look of its first reading. If the entry differs
    /// from that, or another package has the hash, adds this to `conflicts`.
    KnownSpec spec(std::int64_t package_id, const SpecEntry& entry, Conflicts& conflicts);

    /// Writes the page, without its findings, and returns its id. The ledger must not have a page
    /// with this digest.
    std::int64_t add_page(const PageHead& page, std::int64_t package_id);

    /// Forgets all remembered specs. Call this after specs were deleted from the ledger.
    void forget_specs();

    /// Writes everything that waits. If the ledger was empty, its indexes are made only now, those
    /// of other tables too; so call this after all other writes.
    void flush();

  private:
    using Id = std::int64_t;

    void compare_size(Id spec_id, const SpecEntry& entry, Conflicts& conflicts);

    SQLite::Database& database_;
    BatchInsert<Id, Digest, Id, std::optional<std::string>, Id> insert_page_;
    Id next_page_id_ = 1;
};

}  // namespace cacheledger
