#include "ingest/forget.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "ingest/snapshot_counts.hpp"
#include "ingest/sweep.hpp"
#include "schema/statement.hpp"

namespace cacheledger {

void remove_snapshot(SQLite::Database& database, PackageHistory& history,
                     std::int64_t snapshot_id) {
    SQLite::Statement select(database,
                             "SELECT series_id, taken_at FROM snapshot WHERE snapshot_id = ?");
    rebind(select, snapshot_id);
    select.executeStep();
    const std::int64_t series_id = select.getColumn(0).getInt64();
    const Moment taken_at = select.getColumn(1).getInt64();

    SnapshotCounts counts;
    for (const std::int64_t package_id : history.packages_changed_at(series_id, taken_at)) {
        const Moment until = history.next_observation(series_id, package_id, taken_at);
        counts.add(until, history.hold(series_id, package_id, taken_at, until));
    }
    counts.write(database, series_id, taken_at);
    for (const char* const table :
         {"observation_exception", "finding", "commit_snapshot", "snapshot"}) {
        SQLite::Statement remove(database,
                                 fmt::format("DELETE FROM {} WHERE snapshot_id = ?", table));
        run(remove, snapshot_id);
    }
}

void sweep(SQLite::Database& database) {
    for (const EmbeddedText& script : sweep_texts) {
        database.exec(std::string(script.text));
    }
}

void forget(SQLite::Database& database, std::int64_t snapshot_id) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    PackageHistory history(database);
    remove_snapshot(database, history, snapshot_id);
    sweep(database);
    transaction.commit();
}

}  // namespace cacheledger
