#include "ingest/snapshots/forget.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <optional>
#include <span>
#include <vector>

#include "ingest/presence/root_history.hpp"
#include "ingest/snapshots/sweep.hpp"
#include "ingest/states/snapshot_counts.hpp"
#include "ingest/states/unobserved_stacks.hpp"
#include "schema/sqlite/statement.hpp"
#include "schema/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

struct SpecKey {
    std::int64_t spec_id = 0;
    std::int64_t look_id = 0;
    std::int64_t package_id = 0;
};

// The specs with an interval that begins at the moment. Only these can be in this snapshot alone.
std::vector<SpecKey> specs_from(SQLite::Database& database, std::int64_t series_id, Moment moment) {
    SQLite::Statement select(database,
                             "SELECT spec_id, look_id, package_id FROM presence "
                             "WHERE series_id = ? AND valid_from = ?");
    rebind(select, series_id, moment);
    std::vector<SpecKey> specs;
    while (select.executeStep()) {
        const auto column = [&](int i) { return select.getColumn(i).getInt64(); };
        specs.push_back({column(0), column(1), column(2)});
    }
    return specs;
}

// What the ledger learned from a snapshot with conflicts stays, and may contradict any file.
void forget_files(SQLite::Database& database, std::int64_t snapshot_id) {
    SQLite::Statement select(
        database,
        "SELECT DISTINCT snapshot_id FROM snapshot_file WHERE EXISTS (SELECT 1 "
        "FROM finding WHERE snapshot_id = ? AND kind = 'hash-conflict')");
    rebind(select, snapshot_id);
    RowNotes notes(database);
    while (select.executeStep()) {
        notes.add("snapshot", select.getColumn(0).getInt64());
    }
    SQLite::Statement remove(database,
                             "DELETE FROM snapshot_file WHERE EXISTS (SELECT 1 FROM finding "
                             "WHERE snapshot_id = ? AND kind = 'hash-conflict')");
    run(remove, snapshot_id);
}

void run_all(SQLite::Database& database, std::span<const EmbeddedText> scripts) {
    for (const EmbeddedText& script : scripts) {
        database.exec(std::string(script.text));
    }
}

// Removes the specs that no snapshot has any more, and on which none depends that it has. Their
// first reading must not stay: pages that replace the snapshot are read as if it had never been
// there.
void remove_absent(SQLite::Database& database, const std::vector<SpecKey>& specs) {
    if (database.execAndGet("SELECT EXISTS (SELECT 1 FROM node)").getInt() != 0) {
        run_all(database, unreached_texts);
        return;
    }
    SQLite::Statement remove(
        database,
        "DELETE FROM spec WHERE spec_id = ?1 AND NOT EXISTS (SELECT 1 FROM series s "
        "CROSS JOIN presence p WHERE p.series_id = s.series_id AND p.package_id = ?3 "
        "AND p.look_id = ?2 AND p.spec_id = ?1)");
    for (const SpecKey& spec : specs) {
        run(remove, spec.spec_id, spec.look_id, spec.package_id);
    }
}

}  // namespace

void remove_snapshot(SQLite::Database& database, Dictionary& dictionary, PackageHistory& history,
                     std::int64_t snapshot_id, Noted what) {
    note_snapshot(database, what, snapshot_id);
    SQLite::Statement select(database,
                             "SELECT series_id, taken_at FROM snapshot WHERE snapshot_id = ?");
    rebind(select, snapshot_id);
    select.executeStep();
    const std::int64_t series_id = select.getColumn(0).getInt64();
    const Moment taken_at = select.getColumn(1).getInt64();

    history.flush();
    const std::vector<SpecKey> specs = specs_from(database, series_id, taken_at);
    forget_files(database, snapshot_id);

    SnapshotCounts counts;
    for (const std::int64_t package_id : history.packages_changed_at(series_id, taken_at)) {
        const Moment until = history.next_observation(series_id, package_id, taken_at);
        counts.add(until, history.hold(series_id, package_id, taken_at, until));
    }
    counts.write(database, series_id, taken_at);
    RootHistory(database).hold(series_id, taken_at);
    for (const char* const table : {"observation_exception", "unobserved_stack", "snapshot_file",
                                    "finding", "commit_snapshot", "snapshot"}) {
        SQLite::Statement remove(database,
                                 fmt::format("DELETE FROM {} WHERE snapshot_id = ?", table));
        run(remove, snapshot_id);
    }
    hold_unobserved_stacks(database, dictionary, history, series_id, taken_at);
    history.flush();
    remove_absent(database, specs);
}

void sweep(SQLite::Database& database) {
    run_all(database, unreached_texts);
    run_all(database, sweep_texts);
}

Snapshot forget(SQLite::Database& database, std::string_view name) {
    WriteTransaction transaction(database);
    Snapshot snapshot = find_snapshot(database, name);
    PackageHistory history(database);
    Dictionary dictionary(database);
    remove_snapshot(database, dictionary, history, snapshot.id);
    dictionary.flush();
    sweep(database);
    transaction.commit();
    return snapshot;
}

void keep_newest(SQLite::Database& database, std::size_t count) {
    WriteTransaction transaction(database);
    SQLite::Statement select(
        database,
        "SELECT snapshot_id FROM (SELECT snapshot_id, row_number() OVER "
        "(PARTITION BY series_id ORDER BY taken_at DESC) AS number FROM snapshot) "
        "WHERE number > ?");
    rebind(select, static_cast<std::int64_t>(count));
    std::vector<std::int64_t> old;
    while (select.executeStep()) {
        old.push_back(select.getColumn(0).getInt64());
    }
    PackageHistory history(database);
    Dictionary dictionary(database);
    for (const std::int64_t snapshot_id : old) {
        remove_snapshot(database, dictionary, history, snapshot_id);
    }
    dictionary.flush();
    sweep(database);
    transaction.commit();
}

}  // namespace cacheledger
