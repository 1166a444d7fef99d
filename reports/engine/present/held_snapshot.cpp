#include "reports/engine/present/held_snapshot.hpp"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_steps.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

// The order is that of the helper view: reports count by package and look without sorting.
constexpr auto hold = R"(DROP VIEW IF EXISTS temp.present_specs;
CREATE TEMP TABLE held_snapshot AS
SELECT snapshot_id, name, series_id, taken_at FROM snapshot WHERE name = :at;
CREATE TEMP TABLE held_spec (
  package_id INTEGER, look_id INTEGER, spec_id INTEGER, valid_from INTEGER, stack_set_id INTEGER,
  PRIMARY KEY (package_id, look_id, spec_id, valid_from)) WITHOUT ROWID;
INSERT INTO temp.held_spec
SELECT p.package_id, p.look_id, p.spec_id, p.valid_from, p.stack_set_id
FROM temp.held_snapshot s
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at  -- the + keeps SQLite from using an index: a scan in the order of the key is faster
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
ORDER BY p.package_id, p.look_id, p.spec_id, p.valid_from;
CREATE TEMP VIEW present_specs AS
SELECT s.snapshot_id, s.name AS snapshot, k.name AS package, k.package_id, p.look_id, p.spec_id, p.stack_set_id
FROM temp.held_snapshot s
CROSS JOIN main.package k
CROSS JOIN temp.held_spec p ON p.package_id = k.package_id;
)";

}  // namespace

HeldSnapshot::HeldSnapshot(const SQLite::Database& database, const std::string& name)
    : database_(database) {
    run_steps(database, hold, {{"at", name}});
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
