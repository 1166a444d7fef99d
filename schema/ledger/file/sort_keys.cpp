#include "schema/ledger/file/sort_keys.hpp"

#include <fmt/format.h>

#include <optional>

#include "schema/specs/spelling/version_order.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// The first columns of `query` are the id, the text and the sort_key of a row.
template <typename KeyOf>
void add_wrong(SQLite::Statement& query, const std::string& table, KeyOf key_of,
               std::vector<WrongSortKey>& wrong) {
    while (query.executeStep()) {
        const std::string found = query.getColumn(2).getString();
        const std::string expected = key_of();
        if (found != expected) {
            wrong.push_back({table, query.getColumn(0).getInt64(), query.getColumn(1).getString(),
                             found, expected});
        }
    }
}

}  // namespace

std::vector<WrongSortKey> wrong_sort_keys(SQLite::Database& database) {
    std::vector<WrongSortKey> wrong;
    SQLite::Statement versions(database, "SELECT version_id, version, sort_key FROM version");
    add_wrong(
        versions, "version", [&] { return version_sort_key(versions.getColumn(1).getString()); },
        wrong);
    SQLite::Statement compilers(database,
                                "SELECT compiler_id, spec, sort_key, name, version FROM compiler");
    add_wrong(
        compilers, "compiler",
        [&] {
            return compiler_sort_key(compilers.getColumn(3).getString(),
                                     optional_text(compilers, 4));
        },
        wrong);
    return wrong;
}

}  // namespace cacheledger
