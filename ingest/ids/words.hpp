#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/page/page.hpp"

namespace cacheledger {

/// Gives every word and set of the pages (packages, versions, systems, compilers, variant sets,
/// stack sets) its id in the ledger, and writes those that are new at once. They are few, and all
/// known from the start. Writes in the caller's transaction; one that is rolled back leaves this
/// useless.
class Words {
  public:
    using Id = std::int64_t;

    explicit Words(SQLite::Database& database);

    Id package(const std::string& name);

    /// To be called before the words of a page's specs are asked for, with its Page::values.
    void begin_page(const std::shared_ptr<const void>& values);

    Id version(const Shared<Text>& version);
    Id arch(const Shared<Arch>& arch);
    /// 0 where there is none.
    Id compiler(const Shared<Compiler>* compiler);
    Id variant_set(const Shared<VariantSet>& set);
    /// 0 where there is none.
    Id stack_set(const Shared<StackSet>* set);

  private:
    using Known = std::unordered_map<std::string, Id>;
    // By the numbers of shared values; 0 where one is not known yet.
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
    // Where the same shared value comes again, as it nearly always does, its number is enough.
    std::map<std::weak_ptr<const void>, SharedIds, std::owner_less<>> ids_by_owner_;
    SharedIds* ids_ = nullptr;  // of the values of the page at hand
};

}  // namespace cacheledger
