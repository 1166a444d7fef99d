#include "reports/engine/present/snapshot_specs.hpp"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

SnapshotSpecs specs_of_snapshot(const SQLite::Database& database, const Value& snapshot) {
    SnapshotSpecs listed{SpecSet(number_of_places(database)), {}};
    const auto at =
        rows<std::int64_t, Moment>(
            database, "SELECT series_id, taken_at FROM snapshot WHERE name = ?", snapshot)
            .first();
    if (!at) {
        return listed;
    }
    const auto [series_id, moment] = *at;
    std::int64_t last_package = 0;
    // The + keeps SQLite from using an index: a scan in the order of the key is faster. A join with
    // snapshot would read its moment again for each row.
    for (const auto& [spec, package] : rows<std::int64_t, std::int64_t>(
             database,
             "SELECT spec_id, package_id FROM presence WHERE series_id = ?1 AND +valid_from <= ?2 "
             "AND (valid_to IS NULL OR valid_to > ?2) ORDER BY package_id",
             series_id, moment)) {
        if (spec <= 0 || static_cast<std::uint64_t>(spec) >= listed.specs.size()) {
            continue;  // only in a damaged file
        }
        if (listed.by_package.empty() || last_package != package) {
            last_package = package;
            listed.by_package.emplace_back();
        }
        listed.specs[static_cast<std::size_t>(spec)] = true;
        listed.by_package.back().push_back(static_cast<std::uint32_t>(spec));
    }
    return listed;
}

SpecSet specs_of_query(const SQLite::Database& database, const std::string& origin,
                       const std::string& sql, const Arguments& arguments) {
    SpecSet specs(number_of_places(database));
    for (const auto& row : run_query(database, origin, sql, arguments).rows) {
        add_spec(specs, integer(row[0]));
    }
    return specs;
}

HeldSnapshot::HeldSnapshot(const SQLite::Database& database, const std::string& name)
    : database_(database) {
    run_steps(database, std::string(present_texts.front().text), {{"at", name}});
}

HeldSnapshot::~HeldSnapshot() {
    sqlite3_exec(database_.getHandle(),
                 "DROP VIEW temp.present_specs; DROP TABLE temp.held_spec; "
                 "DROP TABLE temp.held_snapshot",
                 nullptr, nullptr, nullptr);
    try {
        use_own_views(database_);
    } catch (const SQLite::Exception&) {  // interrupted: nothing is read any more
        return;
    }
}

bool HeldSnapshot::is_read_by(const Report& report) {
    return std::ranges::count(report.parameters, "at", &Parameter::name) != 0 &&
           is_of_program(report);
}

}  // namespace cacheledger
