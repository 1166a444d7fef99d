#include "reports/engine/filters/asked_looks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>

#include "reports/engine/query/run_steps.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/ledger/search/look_answers.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// The view that all reports read, if this connection has one (schema/ledger/file/migration.hpp).
constexpr auto drop_view = "DROP VIEW IF EXISTS temp.asked_looks";

constexpr auto drop_table = "DROP TABLE IF EXISTS temp.asked_looks";

constexpr auto make_table = R"(DROP TABLE IF EXISTS temp.asked_looks;
CREATE TEMP TABLE asked_looks (
  look_id INTEGER PRIMARY KEY, package_id, version_id, arch_id, compiler_id, variant_set_id);
)";

constexpr auto add_looks = R"(INSERT OR IGNORE INTO temp.asked_looks
SELECT l.look_id, l.package_id, l.version_id, l.arch_id, l.compiler_id, l.variant_set_id
FROM json_each(:looks) j
CROSS JOIN look l ON l.look_id = j.value
WHERE l.package_id IN (SELECT package_id FROM package WHERE name GLOB :package);
)";

constexpr auto count_looks =
    "SELECT count(*) FROM json_each(?) j CROSS JOIN look l ON l.look_id = j.value "
    "WHERE l.package_id IN (SELECT package_id FROM package WHERE name GLOB ?)";

std::string json_text(std::vector<std::int64_t>& ids) {
    std::ranges::sort(ids);
    return fmt::format("[{}]", fmt::join(ids, ","));
}

}  // namespace

AskedLooks::AskedLooks(const SQLite::Database& database, const LookFilter& filter)
    : database_(database) {
    if (!filter.asks_for_looks()) {
        return;
    }
    run_steps(database, drop_view, {});
    sql_ = run_steps(database, make_table, {});
    for (const LookFilter::Builds& builds : filter.builds()) {
        add(builds);
    }
}

AskedLooks::~AskedLooks() {
    if (!sql_.empty()) {
        sqlite3_exec(database_.getHandle(), drop_table, nullptr, nullptr, nullptr);
        try {
            use_own_views(database_);
        } catch (const SQLite::Exception&) {  // interrupted: nothing is read any more
            return;
        }
    }
}

void AskedLooks::add(const LookFilter::Builds& builds) {
    SpecQuery query = builds.query;
    if (builds.package.find_first_of("*?[") == std::string::npos) {
        query.package = builds.package;  // so that only its looks are asked
    }
    LookAnswers answers(database_, query);
    std::vector<std::int64_t> asked;
    std::vector<std::int64_t> unknown;
    for (const auto& [look_id, look] : answers.all()) {
        Answer answer = look.answer;
        for (const DependencyQuery& compiler : query.dependencies) {
            answer = all_of(answer, matches_compiler(compiler, answers.compiler(look)));
        }
        if (answer != Answer::no) {
            (answer == Answer::yes ? asked : unknown).push_back(look_id);
        }
    }
    sql_ +=
        run_steps(database_, add_looks, {{"looks", json_text(asked)}, {"package", builds.package}});
    unknown_ +=
        only_value<std::int64_t>(database_, count_looks, json_text(unknown), builds.package);
}

std::vector<std::string> AskedLooks::notes() const {
    if (unknown_ == 0) {
        return {};
    }
    return {
        fmt::format("left out: builds of {} in the ledger that do not say whether they match, such "
                    "as those without a compiler",
                    counted(unknown_, "look"))};
}

}  // namespace cacheledger
