#include "ingest/forget.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <optional>
#include <vector>

#include "ingest/package_history.hpp"
#include "ingest/snapshot_counts.hpp"
#include "ingest/sweep.hpp"
#include "schema/statement.hpp"

namespace cacheledger {

namespace {

// The packages with an interval that begins or ends at the moment: only those can be another
// without its snapshot.
std::vector<std::int64_t> packages_changed_at(SQLite::Database& database, std::int64_t series_id,
                                              Moment moment) {
    SQLite::Statement query(
        database,
        "SELECT package_id FROM presence WHERE series_id = ?1 AND valid_from = ?2 UNION "
        "SELECT package_id FROM presence WHERE series_id = ?1 AND valid_to = ?2 UNION "
        "SELECT package_id FROM page_presence WHERE series_id = ?1 AND ?2 IN (valid_from, "
        "valid_to)");
    rebind(query, series_id, moment);
    std::vector<std::int64_t> packages;
    while (query.executeStep()) {
        packages.push_back(query.getColumn(0).getInt64());
    }
    return packages;
}

}  // namespace

void remove_snapshot(SQLite::Database& database, std::int64_t snapshot_id) {
    SQLite::Statement select(database,
                             "SELECT series_id, taken_at FROM snapshot WHERE snapshot_id = ?");
    rebind(select, snapshot_id);
    select.executeStep();
    const std::int64_t series_id = select.getColumn(0).getInt64();
    const Moment taken_at = select.getColumn(1).getInt64();

    PackageHistory history(database);
    SnapshotCounts counts;
    for (const std::int64_t package_id : packages_changed_at(database, series_id, taken_at)) {
        const Moment before = taken_at - 1;
        const Moment until = history.next_observation(series_id, package_id, taken_at);
        counts.add(until, history.set(series_id, package_id, taken_at, until,
                                      history.state_at(series_id, package_id, before),
                                      history.page_at(series_id, package_id, before)));
    }
    counts.write(database, series_id, taken_at);
    SQLite::Statement remove(database, "DELETE FROM snapshot WHERE snapshot_id = ?");
    run(remove, snapshot_id);
}

void sweep(SQLite::Database& database) {
    for (const EmbeddedText& script : sweep_texts) {
        database.exec(std::string(script.text));
    }
}

void forget(SQLite::Database& database, std::int64_t snapshot_id) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    remove_snapshot(database, snapshot_id);
    sweep(database);
    transaction.commit();
}

}  // namespace cacheledger
