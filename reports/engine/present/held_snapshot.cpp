#include "reports/engine/present/held_snapshot.hpp"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_steps.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

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
