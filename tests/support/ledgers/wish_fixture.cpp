#include "tests/support/ledgers/wish_fixture.hpp"

#include <fmt/format.h>

#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

std::int64_t id_after(SQLite::Database& database, const char* insert, const char* select,
                      const std::string& a, const std::string& b) {
    execute(database, insert, a, b);
    return only_value<std::int64_t>(database, select, a, b);
}

std::int64_t add_wish(SQLite::Database& database, const ListedWish& wish) {
    const std::int64_t id = id_after(
        database, "INSERT OR IGNORE INTO wish (spec, conditions) VALUES (?, ?)",
        "SELECT wish_id FROM wish WHERE spec = ? AND conditions = ?", wish.spec, wish.conditions);
    execute(database, "UPDATE wish SET package = ? WHERE wish_id = ?",
            parse_spec(wish.spec).package.value_or(""), id);
    return id;
}

}  // namespace

void add_wishes(SQLite::Database& database, const std::string& stack, std::string_view from,
                const std::vector<ListedWish>& wishes) {
    const Moment first = parse_moment(from).value();
    database.exec(fmt::format(
        "INSERT OR IGNORE INTO package_repository VALUES (1, 'packages', zeroblob(20), {0}, {0})",
        first));
    const std::int64_t list = id_after(
        database,
        "INSERT OR IGNORE INTO wish_list (package_repository_id, stack, path) VALUES (1, ?, ?)",
        "SELECT wish_list_id FROM wish_list WHERE stack = ? AND path = ?", stack,
        fmt::format("stacks/{}/spack.yaml", stack));
    for (const ListedWish& wish : wishes) {
        const std::int64_t id = add_wish(database, wish);
        const auto until = wish.until.empty() ? std::nullopt : parse_moment(wish.until);
        execute(database, "INSERT INTO wish_presence VALUES (?, ?, ?, ?, ?)", list, id, wish.group,
                first, until);
    }
    judge_wishes(database);
}

}  // namespace cacheledger
