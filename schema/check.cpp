#include "schema/check.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>

#include "schema/migration.hpp"
#include "schema/sort_keys.hpp"

namespace cacheledger {

namespace {

void add_integrity(SQLite::Database& database, std::size_t most,
                   std::vector<std::string>& problems) {
    SQLite::Statement query(database, fmt::format("PRAGMA integrity_check({})", most));
    while (query.executeStep()) {
        const std::string line = query.getColumn(0).getString();
        if (line != "ok") {
            problems.push_back("integrity: " + line);
        }
    }
}

void add_foreign_keys(SQLite::Database& database, std::size_t most,
                      std::vector<std::string>& problems) {
    SQLite::Statement query(database, "PRAGMA foreign_key_check");
    for (std::size_t found = 0; found < most && query.executeStep(); ++found) {
        problems.push_back(
            fmt::format("foreign key: a row of {} refers to a row of {} that is not there",
                        query.getColumn(0).getString(), query.getColumn(2).getString()));
    }
}

void add_invariant(SQLite::Database& database, const EmbeddedText& check, std::size_t most,
                   std::vector<std::string>& problems) {
    SQLite::Statement query(database, std::string(check.text));
    for (std::size_t found = 0; found < most && query.executeStep(); ++found) {
        problems.push_back(query.getColumn(0).getString());
    }
}

void add_sort_keys(SQLite::Database& database, std::size_t most,
                   std::vector<std::string>& problems) {
    const std::vector<WrongSortKey> wrong = wrong_sort_keys(database);
    for (std::size_t i = 0; i < std::min(most, wrong.size()); ++i) {
        problems.push_back(fmt::format("{}: {} has the sort_key '{}', expected '{}'",
                                       wrong[i].table, wrong[i].text, wrong[i].found,
                                       wrong[i].expected));
    }
}

}  // namespace

std::vector<std::string> find_problems(SQLite::Database& database, std::size_t most) {
    std::vector<std::string> problems;
    add_integrity(database, most, problems);
    add_foreign_keys(database, most, problems);
    if (!views_are_current(database)) {
        problems.emplace_back(
            "views: they are not those of this version; the next ingest makes them anew");
    }
    for (const EmbeddedText& check : check_texts) {
        add_invariant(database, check, most, problems);
    }
    add_sort_keys(database, most, problems);
    return problems;
}

}  // namespace cacheledger
