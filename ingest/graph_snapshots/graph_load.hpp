#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/graph_snapshots/graph_state.hpp"
#include "ingest/ids/dictionary.hpp"
#include "ingest/node_rows/ledger_nodes.hpp"
#include "ingest/node_rows/node_rows.hpp"
#include "ingest/page/page.hpp"
#include "ingest/presence/package_history.hpp"
#include "ingest/presence/root_history.hpp"
#include "ingest/snapshots/load.hpp"
#include "ingest/snapshots/snapshot_writer.hpp"
#include "ingest/states/snapshot_files.hpp"
#include "ingest/states/state_rows.hpp"
#include "ingest/stored/commit_log.hpp"
#include "ingest/stored/existing_snapshot.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

struct GraphOptions {
    Moment taken_at = 0;      ///< of mutable tags
    bool keep_going = false;  ///< a file that can't be read is a finding, and its stack unobserved
    bool replace = false;     ///< replace an existing snapshot that has other content
    bool if_changed =
        false;  ///< no snapshot where the one before it in its tag has the same content
    /// As in LoadOptions: the commits of which path still count as loaded.
    std::optional<std::string> keep_commits_of = {};
};

/// Loads what indexes, lock files and install databases say: makes one snapshot for each input.
/// Does not know how files are read. Writes in the caller's transaction.
class GraphLoad {
  public:
    /// `replaced`: names of existing snapshots to replace, see replace(). `database` must outlive
    /// the load.
    GraphLoad(SQLite::Database& database, GraphOptions options,
              const std::set<std::string>& replaced);

    /// Removes an existing snapshot, which an input replaces. Call this before that input is read:
    /// it must not count on the nodes of the snapshot.
    void replace(const std::string& name);

    /// The nodes that need not be read for the next input. Valid until that is taken.
    const LedgerNodes& known();

    /// The files of the snapshot that an input of this tag would equal if its files are the same.
    std::optional<FilesBefore> files_before(const std::string& tag);

    /// Takes one input, and writes its nodes, whether or not there is a snapshot of it already.
    /// Throws UsageError for what can't make a snapshot of this tag.
    void take(const GraphInput& input);

    /// Takes an input without files, which were of this kind: with unread ones the snapshot has the
    /// state of the one before it, else it has no specs.
    void take_absent(const GraphInput& input, GraphKind kind);

    /// Ends the load, or a part of it. Throws InputError with every file that can't be loaded, or
    /// with what differs from an existing snapshot.
    void finish();

    /// The result since the last call of this.
    LoadResult take_result() { return std::exchange(result_, {}); }

    /// As in Load: names of existing snapshots with other content, if options.replace is set.
    const std::set<std::string>& to_replace() const { return to_replace_; }

    /// Whether the ledger has more than before: nodes can be new although no snapshot is.
    bool has_changed() const { return has_changed_; }

    /// Whether sweep() has something to do.
    bool leaves_over() const { return leaves_over_; }

    const LoadResult& result() const { return result_; }
    std::int64_t new_specs() const { return dictionary_.new_specs(); }
    std::int64_t new_nodes() const { return new_nodes_ + nodes_->new_nodes(); }

  private:
    // One input, as it would be stored.
    struct State {
        CacheState cache;
        std::vector<UnobservedStack> unobserved;
        std::vector<SeenRoot> roots;
        std::vector<PageHead> heads;             // of each package, in the order of cache.specs
        std::map<std::string, Digest> packages;  // the same by name
        bool is_held = false;                    // it is that of the snapshot before, none of these
    };

    void take_snapshot(const GraphInput& input, GraphKind kind);
    void take_unchanged(const GraphInput& input);
    Moment moment_of(const GraphInput& input) const;
    void settle(const GraphInput& input, GraphKind kind, const State& state,
                const std::optional<ExistingSnapshot>& existing,
                const std::vector<NodeRows::Finding>& findings);
    State state_of_input(const GraphInput& input, const PresentNodes& present,
                         const std::vector<KnownSpec>& specs, Moment moment);
    void compare(const ExistingSnapshot& existing, const std::string& tag, GraphKind kind,
                 Moment moment, const State& state);
    std::optional<std::string> difference(const ExistingSnapshot& existing, GraphKind kind,
                                          Moment moment, const State& state);
    std::optional<ExistingSnapshot> same_before(const std::string& tag, GraphKind kind,
                                                Moment moment, const State& state);
    void write(const GraphInput& input, GraphKind kind, Moment moment, const State& state,
               const std::vector<NodeRows::Finding>& findings);
    void add_loaded(const GraphInput& input, Moment moment, SnapshotWriter& writer);
    static void add_findings(const GraphInput& input,
                             const std::vector<NodeRows::Finding>& findings,
                             SnapshotWriter& writer);
    std::optional<std::int64_t> series_of(const std::string& tag);
    void forget_remembered();

    SQLite::Database& database_;
    GraphOptions options_;
    Dictionary dictionary_;
    std::optional<NodeRows> nodes_;
    std::optional<PackageHistory> history_;
    std::optional<StateRows> rows_;
    RootHistory roots_;
    std::optional<LedgerNodes> known_;
    std::map<std::string, std::vector<CommitLog::Row>> commits_;  // of replaced snapshots, by name
    std::set<std::string> names_;  // of the snapshots that were given
    std::set<std::string> to_replace_;
    std::vector<std::string> problems_;
    std::vector<std::string> unread_sizes_;  // a line for each input
    std::vector<std::string> refusals_;
    LoadResult result_;
    std::int64_t new_nodes_ = 0;
    bool has_changed_ = false;
    bool leaves_over_ = false;
};

}  // namespace cacheledger
