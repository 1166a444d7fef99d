#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>

#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

/// Writes what commits did to recipes. Writes in the caller's transaction.
class RecipeRows {
  public:
    explicit RecipeRows(SQLite::Database& database);

    /// Adds a commit, and gives its id, which is greater than those before.
    std::int64_t add_commit(std::int64_t repository_id, const Digest& commit, Moment time,
                            const std::string& subject);

    /// The id of a package, which is added if the ledger does not have it.
    std::int64_t package_id(const std::string& name_space, const std::string& name);

    /// The commit touched the package.
    void add_change(std::int64_t package_id, std::int64_t commit_id);

    /// The commit is the first one that has the version, unless the ledger has one.
    void add_version(std::int64_t package_id, const std::string& version, std::int64_t commit_id);

  private:
    SQLite::Database& database_;
    Select<std::int64_t> select_package_;
    Write insert_commit_, insert_package_, insert_change_, insert_version_;
};

}  // namespace cacheledger
