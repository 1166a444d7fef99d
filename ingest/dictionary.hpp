#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/page.hpp"

namespace cacheledger {

/// Gives every word, set, look and spec of the pages its id in the ledger, and writes those that
/// are new. Words and sets are few and known from the start. Specs and looks are as many as the
/// ledger is old: each is asked for when it is first met, and remembered, so that neither the time
/// nor the memory of a run follows the length of the history. Writes in the caller's transaction;
/// one that is rolled back leaves the dictionary useless.
class Dictionary {
  public:
    explicit Dictionary(SQLite::Database& database);

    struct Spec {
        std::int64_t spec_id = 0;
        std::int64_t look_id = 0;
    };

    std::int64_t package(const std::string& name);

    /// The stack set's id; 0 where there is none.
    std::int64_t stack_set(const std::shared_ptr<const StackSet>& set);

    /// The spec of this hash and package, with the look under which it was first read. Where the
    /// entry says otherwise, or another package has the hash, a finding of kind "hash-conflict" is
    /// appended to `findings`.
    Spec spec(std::int64_t package_id, const SpecEntry& entry, std::vector<PageFinding>& findings);

    /// The number of specs that this dictionary has written.
    std::int64_t new_specs() const { return new_specs_; }

  private:
    using Id = std::int64_t;
    using Words = std::unordered_map<std::string, Id>;
    template <typename Value>
    using Shared = std::unordered_map<std::shared_ptr<const Value>, Id>;

    // package, version, arch, variant set, compiler; 0 is NULL.
    using LookKey = std::array<Id, 5>;
    struct LookHash {
        std::size_t operator()(const LookKey& key) const;
    };
    struct KnownSpec {
        Id spec_id = 0;
        Id look_id = 0;
        Id package_id = 0;
    };
    using DagHash = std::array<char, 32>;
    struct DagHashHash {
        std::size_t operator()(const DagHash& hash) const;
    };
    static DagHash dag_hash(const std::string& text);
    using Specs = std::unordered_multimap<DagHash, KnownSpec, DagHashHash>;

    void load();
    Specs::iterator find_spec(const DagHash& hash);
    const LookKey& key_of(Id look_id);
    void remember_look(Id look_id, const LookKey& key);
    void forget_if_many();
    Id arch(const std::shared_ptr<const Arch>& arch);
    Id compiler(const std::shared_ptr<const Compiler>& compiler);
    Id variant_set(const std::shared_ptr<const VariantSet>& set);
    Id word(Words& known, SQLite::Statement& insert, const std::string& text);
    Id look(const LookKey& key);
    LookKey look_key(Id package_id, const SpecEntry& entry);
    Spec insert_spec(const SpecEntry& entry, const LookKey& key);
    std::string describe(Id look_id);

    SQLite::Database& database_;
    SQLite::Statement insert_package_, insert_version_, insert_arch_, insert_compiler_,
        insert_variant_, insert_variant_set_, insert_variant_set_member_, insert_stack_,
        insert_stack_set_, insert_stack_set_member_, insert_look_, insert_spec_, select_specs_,
        select_look_, select_look_key_;
    Words packages_, versions_, archs_, compilers_, variants_, variant_sets_, stacks_, stack_sets_;
    // Where the same shared value comes again, as it nearly always does, its address is enough.
    Shared<Arch> shared_archs_;
    Shared<Compiler> shared_compilers_;
    Shared<VariantSet> shared_variant_sets_;
    Shared<StackSet> shared_stack_sets_;
    std::unordered_map<LookKey, Id, LookHash> looks_;
    std::unordered_map<Id, LookKey> look_keys_;
    Specs specs_;  // several for a hash that several packages claim
    // Whether the ledger may have looks and specs that are not remembered here.
    bool ask_ledger_;
    Id next_spec_id_ = 1;
    std::int64_t new_specs_ = 0;
};

}  // namespace cacheledger
