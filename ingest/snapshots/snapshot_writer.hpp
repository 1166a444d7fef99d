#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/rows/intervals/presence_history.hpp"
#include "ingest/rows/snapshots/cache_state.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// A snapshot to write: the state of one tag at one moment.
struct NewSnapshot {
    std::string tag;
    Moment taken_at = 0;
    std::string source;
    bool partial = false;  ///< observes only the packages that have a page
    SourceKind kind = SourceKind::pages;
    std::vector<UnobservedStack> unobserved_stacks = {};
};

/// Writes one snapshot, page by page, in the caller's transaction. The snapshot may lie before,
/// between or after the existing ones of its series. Does not know where pages come from.
class SnapshotWriter {
  public:
    /// Makes the snapshot. The ledger must not have one of this tag and moment. `dictionary` and
    /// `history` must outlive the writer.
    SnapshotWriter(SQLite::Database& database, Dictionary& dictionary, PresenceHistory& history,
                   const NewSnapshot& snapshot);

    /// Sets the state of the page's package to that of the page, which must be read. `path`: where.
    /// Call this once for each package.
    void observe(const Page& page, const std::string& path);

    /// Like observe(), for a package whose specs are in the ledger, and whose state has a row of
    /// `page`: what an index says of it.
    void observe_state(std::int64_t package_id, std::int64_t page_id, std::vector<SeenSpec> state);

    /// Like observe(), for a page or a state that the ledger has, without its specs. Returns false
    /// and does nothing if the package's current state comes from another one: then its specs are
    /// needed.
    bool keep(std::int64_t package_id, std::int64_t page_id, const std::string& path);

    /// All packages that are not observed and not dropped stay as they are in the snapshot before,
    /// and count as observed. Returns false and does nothing if the snapshot is not the newest of
    /// its series, or is partial.
    bool keep_others();

    /// After keep_others(): removes the package, unless it is observed.
    void drop(const std::string& package);

    /// Whether the snapshot is the newest of its series.
    bool is_newest() const { return can_append(); }

    /// The package's page could not be read: the package keeps its last state.
    void leave_unobserved(const std::string& package);

    /// A page of an unknown package could not be read: packages without a page keep their last
    /// state.
    void leave_absent_unobserved() { absent_unobserved_ = true; }

    /// Adds a finding about the snapshot, or about a page in it.
    void add_finding(const std::optional<std::string>& package,
                     const std::optional<std::string>& path, const PageFinding& finding);

    /// Writes the counts so far. Call this before another snapshot of the series is made or
    /// removed: that one begins with the counts of this one.
    void write_counts();

    /// Ends the snapshot: removes packages without a page, unless the snapshot is partial. Call
    /// this once, last.
    void finish();

    std::int64_t snapshot_id() const { return snapshot_id_; }
    std::int64_t series_id() const { return series_id_; }
    Moment taken_at() const { return taken_at_; }

  private:
    std::int64_t make_snapshot(const NewSnapshot& snapshot);
    void note_observed(std::int64_t package_id);
    void write_findings(const std::vector<PageFinding>& findings, std::int64_t page_id,
                        std::int64_t package_id);
    void apply(std::int64_t package_id, std::vector<SeenSpec> state,
               const std::optional<SeenPage>& page);
    bool can_append() const { return history_.can_append(series_id_, taken_at_); }
    void empty_absent_packages();
    void hold_unobserved();

    SQLite::Database& database_;
    Dictionary& dictionary_;
    PresenceHistory& history_;
    Write insert_finding_, delete_conflicts_, insert_exception_;
    std::int64_t series_id_ = 0;
    std::int64_t snapshot_id_ = 0;
    Moment taken_at_;
    bool partial_;
    bool absent_unobserved_ = false;
    bool others_stay_ = false;
    std::set<std::int64_t> dropped_;  // if others stay
    std::set<std::int64_t> observed_;
    std::set<std::int64_t> unobserved_;
    SnapshotCounts counts_;
};

}  // namespace cacheledger
