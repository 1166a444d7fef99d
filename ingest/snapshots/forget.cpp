#include "ingest/snapshots/forget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/rows/snapshots/cache_state.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

using SpecKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // its spec, look, package

// The specs with an interval that begins at the moment. Only these can be in this snapshot alone.
std::vector<SpecKey> specs_from(SQLite::Database& database, std::int64_t series_id, Moment moment) {
    return rows<std::int64_t, std::int64_t, std::int64_t>(
               database,
               "SELECT spec_id, look_id, package_id FROM presence "
               "WHERE series_id = ? AND valid_from = ?",
               series_id, moment)
        .to<std::vector<SpecKey>>();
}

// What the ledger learned from a snapshot with conflicts stays, and may contradict any file.
void forget_files(SQLite::Database& database, std::int64_t snapshot_id) {
    execute(database,
            "DELETE FROM snapshot_file WHERE EXISTS (SELECT 1 FROM finding "
            "WHERE snapshot_id = ? AND kind = 'hash-conflict')",
            snapshot_id);
}

void run_all(SQLite::Database& database, std::span<const EmbeddedText> scripts) {
    for (const EmbeddedText& script : scripts) {
        database.exec(std::string(script.text));
    }
}

// Removes the specs that no snapshot has, and that none needs which is in one.
void remove_unneeded(SQLite::Database& database) {
    const SpecSet needed = needed_by_snapshots(database);
    auto specs = all_values<std::int64_t>(database, "SELECT spec_id FROM spec");
    std::erase_if(specs, [&](std::int64_t spec) {
        return spec >= 0 && needed.at(static_cast<std::size_t>(spec));
    });
    const Write remove(database, "DELETE FROM spec WHERE spec_id = ?");
    std::ranges::for_each(specs, remove);
    run_all(database, unreached_texts);
}

// Removes the specs that no snapshot has any more, and on which none depends that it has. Their
// first reading must not stay: pages that replace the snapshot are read as if it had never been
// there.
void remove_absent(SQLite::Database& database, const std::vector<SpecKey>& specs) {
    if (only_value<bool>(database, "SELECT EXISTS (SELECT 1 FROM node)")) {
        remove_unneeded(database);
        forget_judged_specs(database);
        return;
    }
    const Write remove(
        database,
        "DELETE FROM spec WHERE spec_id = ?1 AND NOT EXISTS (SELECT 1 FROM series s "
        "CROSS JOIN presence p WHERE p.series_id = s.series_id AND p.package_id = ?3 "
        "AND p.look_id = ?2 AND p.spec_id = ?1)");
    for (const SpecKey& spec : specs) {
        std::apply(remove, spec);
    }
    forget_judged_specs(database);
}

// Removes the rows of a snapshot, but for what its packages had.
void remove_rows(SQLite::Database& database, const Snapshot& snapshot) {
    for (const char* const table : {"observation_exception", "unobserved_stack", "snapshot_file",
                                    "finding", "commit_snapshot", "snapshot"}) {
        execute(database, fmt::format("DELETE FROM {} WHERE snapshot_id = ?", table), snapshot.id);
    }
}

// Removes snapshots of one series, from new to old. Specs that no snapshot has any more stay until
// sweep(). If the series has unobserved stacks: one snapshot at a time.
void take_out(SQLite::Database& database, Dictionary& dictionary, PresenceHistory& history,
              std::span<const Snapshot> snapshots, const Progress& progress) {
    std::set<Moment> moments;
    for (const Snapshot& snapshot : snapshots) {
        moments.insert(snapshot.taken_at);
    }
    const std::int64_t series_id = snapshots.front().series_id;
    history.thin_out(series_id, moments, progress);
    for (const Snapshot& snapshot : snapshots) {
        forget_files(database, snapshot.id);
        remove_rows(database, snapshot);
    }
    hold_unobserved_stacks(database, dictionary, history, series_id, *moments.begin());
}

enum class CommitFate { forgotten, kept };

// The commits of each snapshot are recorded at the next one that stays. `gone`: snapshots of one
// series, from new to old.
void hand_over_commits(SQLite::Database& database, CommitLog& log, std::span<const Snapshot> gone) {
    std::map<std::int64_t, std::int64_t> heirs;
    for (const Snapshot& snapshot : gone) {
        const auto later = select_snapshots(
            database, "WHERE series_id = ? AND taken_at > ? ORDER BY taken_at LIMIT 1",
            snapshot.series_id, snapshot.taken_at);
        if (!later.empty()) {
            const auto found = heirs.find(later[0].id);
            const std::int64_t heir = found == heirs.end() ? later[0].id : found->second;
            heirs.emplace(snapshot.id, heir);
            log.hand_over(snapshot.id, heir);
        }
    }
}

// What a rule removed before stays so when the snapshot goes to which the commits were handed over:
// the next one keeps them, or the one before. Without any, the whole history is new.
void hand_on_commits(SQLite::Database& database, const Snapshot& gone) {
    auto others =
        select_snapshots(database, "WHERE series_id = ? AND taken_at > ? ORDER BY taken_at LIMIT 1",
                         gone.series_id, gone.taken_at);
    if (others.empty()) {
        others = select_snapshots(
            database, "WHERE series_id = ? AND taken_at < ? ORDER BY taken_at DESC LIMIT 1",
            gone.series_id, gone.taken_at);
    }
    if (!others.empty()) {
        CommitLog(database).hand_on(gone.id, others[0].id);
    }
}

bool has_unobserved_stacks(SQLite::Database& database, std::int64_t series_id) {
    return first_value<bool>(database,
                             "SELECT 1 FROM unobserved_stack JOIN snapshot USING (snapshot_id) "
                             "WHERE series_id = ?",
                             series_id)
        .has_value();
}

// Removes them in the caller's transaction. From new to old: what a snapshot said holds until the
// next one that stays, so no interval is moved twice. From old to new, nearly all would be moved by
// each snapshot. For the same reason the next one is always one that stays.
void take_out_all(SQLite::Database& database, std::vector<Snapshot> snapshots, CommitFate commits,
                  const Progress& progress) {
    std::ranges::sort(snapshots, [](const Snapshot& one, const Snapshot& other) {
        return std::tie(one.series_id, other.taken_at) < std::tie(other.series_id, one.taken_at);
    });
    PresenceHistory history(database);
    Dictionary dictionary(database);
    CommitLog log(database);
    for (auto begin = snapshots.begin(); begin != snapshots.end();) {
        const auto end = std::ranges::find_if(begin, snapshots.end(), [&](const Snapshot& other) {
            return other.series_id != begin->series_id;
        });
        const std::span<const Snapshot> of_series(begin, end);
        if (commits == CommitFate::kept) {
            hand_over_commits(database, log, of_series);
        }
        if (has_unobserved_stacks(database, begin->series_id)) {
            for (std::size_t done = 0; done < of_series.size(); ++done) {
                take_out(database, dictionary, history, of_series.subspan(done, 1), no_progress);
                progress(done + 1, of_series.size());
            }
        } else {
            take_out(database, dictionary, history, of_series, progress);
        }
        begin = end;
    }
    dictionary.flush();
    sweep(database);
}

}  // namespace

void remove_snapshot(SQLite::Database& database, Dictionary& dictionary, PresenceHistory& history,
                     std::int64_t snapshot_id) {
    const Snapshot snapshot =
        select_snapshots(database, "WHERE snapshot_id = ?", snapshot_id).at(0);
    history.flush();
    const std::vector<SpecKey> specs = specs_from(database, snapshot.series_id, snapshot.taken_at);
    take_out(database, dictionary, history, {&snapshot, 1}, no_progress);
    remove_absent(database, specs);
}

void sweep(SQLite::Database& database) {
    remove_unneeded(database);
    run_all(database, sweep_texts);
    forget_judged_specs(database);
}

Snapshot forget(SQLite::Database& database, std::string_view name) {
    WriteTransaction transaction(database);
    Snapshot snapshot = find_snapshot(database, name);
    hand_on_commits(database, snapshot);
    take_out_all(database, {snapshot}, CommitFate::forgotten, no_progress);
    transaction.commit();
    return snapshot;
}

std::vector<JudgedSnapshot> forget(SQLite::Database& database, const Retention& retention,
                                   const std::optional<std::string>& tag,
                                   const Progress& progress) {
    WriteTransaction transaction(database);
    std::vector<JudgedSnapshot> judged = judge_snapshots(database, retention, tag);
    std::vector<Snapshot> old;
    for (const JudgedSnapshot& one : judged) {
        if (one.reasons.empty()) {
            old.push_back(one.snapshot);
        }
    }
    if (!old.empty()) {
        take_out_all(database, std::move(old), CommitFate::kept, progress);
        transaction.commit();
    }
    return judged;
}

void keep_newest(SQLite::Database& database, std::size_t count) {
    WriteTransaction transaction(database);
    take_out_all(database,
                 select_snapshots(
                     database,
                     "WHERE snapshot_id IN (SELECT snapshot_id FROM (SELECT snapshot_id, "
                     "row_number() OVER (PARTITION BY series_id ORDER BY taken_at DESC) AS number "
                     "FROM snapshot) WHERE number > ?)",
                     static_cast<std::int64_t>(count)),
                 CommitFate::forgotten, no_progress);
    transaction.commit();
}

}  // namespace cacheledger
