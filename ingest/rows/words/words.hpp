#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// Finds the ids of words and sets (packages, versions, systems, compilers, variant sets, stack
/// sets) in the ledger, and writes new ones at once. They are few, so all are read at the start.
/// Writes in the caller's transaction; after a rollback this object must not be used again.
class Words {
  public:
    using Id = std::int64_t;

    explicit Words(SQLite::Database& database);

    Id package(const std::string& name);

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

    Id word(Known& known, SQLite::Statement& insert, const std::string& text);

    SQLite::Database& database_;
    SQLite::Statement insert_package_, insert_version_, insert_arch_, insert_compiler_,
        insert_variant_, insert_variant_set_, insert_variant_set_member_, insert_stack_,
        insert_stack_set_, insert_stack_set_member_;
    Known packages_, versions_, archs_, compilers_, variants_, variant_sets_, stacks_, stack_sets_;
    // Nearly every shared value occurs many times. After the first time its number is enough to
    // find its id.
    std::map<std::weak_ptr<const void>, SharedIds, std::owner_less<>> ids_by_owner_;
    SharedIds* ids_ = nullptr;  // for the values of the current page
};

}  // namespace cacheledger
