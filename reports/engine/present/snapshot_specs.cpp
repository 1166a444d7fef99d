#include "reports/engine/present/snapshot_specs.hpp"

#include "schema/sqlite/statements/row_scan.hpp"

namespace cacheledger {

SnapshotSpecs specs_of_snapshot(const SQLite::Database& database, const Value& snapshot) {
    SnapshotSpecs listed{SpecSet(number_of_places(database)), {}};
    const ResultTable found =
        run_query(database, "listed", "SELECT series_id, taken_at FROM snapshot WHERE name = :name",
                  {{"name", snapshot}});
    if (found.rows.empty()) {
        return listed;
    }
    const std::int64_t moment = integer(found.rows[0][1]);
    // The + keeps SQLite from using an index: a scan in the order of the key is faster.
    RowScan rows(database,
                 "SELECT spec_id, package_id FROM presence WHERE series_id = ? "
                 "AND +valid_from <= ? AND (valid_to IS NULL OR valid_to > ?) ORDER BY package_id");
    rows.start({integer(found.rows[0][0]), moment, moment});
    std::int64_t package = 0;
    while (rows.next()) {
        const std::int64_t spec = rows.number(0);
        if (spec <= 0 || static_cast<std::uint64_t>(spec) >= listed.specs.size()) {
            continue;  // only in a damaged file
        }
        if (listed.by_package.empty() || package != rows.number(1)) {
            package = rows.number(1);
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

}  // namespace cacheledger
