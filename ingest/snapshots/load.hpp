#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/rows/earlier/existing_snapshot.hpp"
#include "ingest/rows/intervals/presence_history.hpp"
#include "ingest/rows/nodes/ledger_nodes.hpp"
#include "ingest/rows/nodes/node_rows.hpp"
#include "ingest/rows/snapshots/cache_state.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "ingest/snapshots/graph_state.hpp"
#include "ingest/snapshots/snapshot_writer.hpp"
#include "ingest/sources/pages/source.hpp"
#include "schema/ledger/names/moment.hpp"

/// Loading: what sources yield becomes snapshots.
namespace cacheledger {

/// The moment of a snapshot, and a finding about it.
struct SnapshotMoment {
    Moment moment = 0;
    std::optional<PageFinding> finding = {};
};

/// How a run loads.
struct IngestOptions {
    std::string source = {};              ///< where pages come from, for the column `source`
    std::optional<Moment> taken_at = {};  ///< of mutable tags; nullopt: the time of the run
    std::optional<std::string> tag = {};  ///< the tag of all pages, instead of their own
    bool partial = false;                 ///< packages without a page stay as they are
    bool keep_going =
        false;             ///< load what is good, and record files that can't be read as findings
    bool replace = false;  ///< replace an existing snapshot that has other content
    bool if_changed = false;  ///< no snapshot where the one before has the same content
    /// The moments of mutable tags, where `taken_at` is not that of all.
    std::function<SnapshotMoment(const std::string& tag)> moment_of = {};
    /// A replaced snapshot may have come from commits: the path whose commits still count as loaded
    /// (CommitLog::rows_to_keep).
    std::optional<std::string> keep_commits_of = {};
};

/// What was loaded.
struct IngestResult {
    std::size_t pages = 0;  ///< or indexes, lock files, install databases
    std::size_t specs = 0;
    std::size_t needed_specs = 0;        ///< that are not in a snapshot, but needed by its specs
    std::size_t other_files = 0;         ///< files with front matter that are not package pages
    std::vector<std::string> loaded;     ///< names of snapshots
    std::vector<std::string> replaced;   ///< those of `loaded` that replaced another
    std::vector<std::string> unchanged;  ///< names of existing snapshots with the same content
    /// The ids of loaded and unchanged snapshots, by tag.
    std::map<std::string, std::int64_t> snapshots;
    std::vector<std::string> bad_pages;  ///< a line for each, or for each other file
    std::int64_t new_specs = 0;          ///< hashes that were not in the ledger before
    std::int64_t new_nodes = 0;          ///< specs whose dependencies were not known before
    std::vector<std::string> notes;      ///< lines about what the source left out
};

/// What rows are written with, and what that remembers of the ledger. Several loads may use one
/// object, one after the other. After a rollback, and if others wrote to the ledger, it must not be
/// used any more.
class Writing {
  public:
    explicit Writing(SQLite::Database& ledger)
        : database(ledger), dictionary(ledger), history(std::in_place, ledger) {}

    SQLite::Database& database;
    Dictionary dictionary;
    std::optional<PresenceHistory> history;

    // These are made when they are needed: pages need none of them.
    NodeRows& nodes() { return nodes_ ? *nodes_ : nodes_.emplace(database, dictionary); }
    StateRows& states() { return states_ ? *states_ : states_.emplace(database, dictionary); }

    /// Those of the ledger, prepared for a snapshot of this tag.
    LedgerNodes& known_nodes(const std::string& tag);

    /// Says what was written; known_nodes() has it from now on.
    void add_known(const Graph& graph, const NodeRows::Written& written);

    /// Writes the rows that wait.
    void flush();

    /// Call this after specs were deleted.
    void forget_specs();

    /// The number of specs whose dependencies this wrote, and nobody before.
    std::int64_t new_nodes() const { return new_nodes_ + (nodes_ ? nodes_->new_nodes() : 0); }

  private:
    std::optional<NodeRows> nodes_;
    std::optional<StateRows> states_;
    std::optional<LedgerNodes> known_nodes_;
    std::int64_t new_nodes_ = 0;
};

/// Loads what sources yield: makes a snapshot for each tag among the pages, and for each
/// GraphInput. A snapshot that the ledger has at that moment is not written, but compared. Does not
/// know where all this comes from. Writes in the caller's transaction.
class Load {
  public:
    /// `writing` must outlive the load.
    Load(Writing& writing, IngestOptions options)
        : writing_(writing), database_(writing.database), options_(std::move(options)) {}

    /// Removes an existing snapshot, which the load replaces. Call this before anything of the new
    /// one is read: that must not count on what only the old one has.
    void replace(const std::string& name);

    /// Takes a good page, a bad one, or a file that is not a page. Returns false and does nothing
    /// if the page was not read, and its specs are needed.
    bool take(const PageState& state);

    /// Takes a whole snapshot. Its nodes are written, whether or not there is such a snapshot
    /// already. Throws UsageError for what can't make a snapshot of this tag.
    void take(const GraphInput& input);

    /// As in Earlier.
    std::optional<FilesBefore> files_before(const std::string& tag);

    /// Makes a snapshot of pages of this tag, even if no page of it is taken.
    void touch(const std::string& tag) { target_for(tag); }

    /// Says once, instead of giving their pages, that all packages of the tag that are not given
    /// and not dropped stay as they are in the snapshot before. Returns false and does nothing if
    /// the tag's snapshot does not continue the newest one of its series. Touch the tag before.
    bool keep_others(const std::string& tag);

    /// After keep_others(): the package has no page any more, unless one is given.
    void drop(const std::string& tag, const std::string& package);

    /// Ends the load. Throws InputError with every file that can't be loaded, or with what differs
    /// from an existing snapshot.
    void finish();

    /// After finish(): the names of existing snapshots that are to be replaced, all of them. If
    /// there are any, what this load wrote must be rolled back (load_and_replace()).
    const std::set<std::string>& to_replace() const { return to_replace_; }

    /// After finish(): whether the tag's snapshot of pages is new and the newest of its series, and
    /// the load had good pages only, those of the tag without findings about their places.
    bool is_in_force(const std::string& tag) const;

    /// Whether the ledger has more than before: nodes can be new although no snapshot is.
    bool has_changed() const { return has_changed_ || !result_.loaded.empty(); }

    /// Whether sweep() has something to do.
    bool leaves_over() const { return leaves_over_; }

    /// Without new_specs, new_nodes and notes.
    const IngestResult& result() const { return result_; }

  private:
    // The snapshot of one tag of pages: either written, or compared with the existing one.
    struct Target {
        std::string tag;
        std::string name;
        std::optional<ExistingSnapshot> existing;
        std::unique_ptr<SnapshotWriter> writer;
        std::map<std::string, std::string> files;  // by package
        bool misses_packages = false;              // a page of an unknown package could not be read
        bool replaces = false;                     // an existing snapshot
        bool has_findings = false;                 // about a page in its place
    };

    // Of all snapshots.
    SnapshotMoment moment_of(const std::string& tag) const;
    std::unique_ptr<SnapshotWriter> begin(const NewSnapshot& snapshot,
                                          const std::optional<PageFinding>& about_moment);
    void end(SnapshotWriter& writer, const std::string& tag);
    void settle(const ExistingSnapshot& existing, const std::string& tag,
                const std::optional<std::string>& difference);
    void note_unchanged(const std::string& tag, std::int64_t snapshot_id, const std::string& name);
    void refuse_problems();
    void count_written();

    // Of pages.
    Target& target_for(const std::string& tag);
    bool take_page(const Page& page, const PageState& state);
    void take_bad(const BadPage& page, const PagePlace& place);
    static void add_findings(const PageHead& page, const PageState& state, Target& target);
    std::vector<Target*> targets_of(const BadPage& page);
    void record(const BadPage& page, const PagePlace& place);
    void remove_unchanged();

    // Of graphs.
    void take_same(const GraphInput& input, const SnapshotMoment& at);
    void take_files(const GraphInput& input, const SnapshotMoment& at);
    void settle(const GraphInput& input, const SnapshotMoment& at, const GraphState& state,
                const std::vector<NodeRows::Finding>& findings);
    GraphState state_of_files(const GraphInput& input, const PresentNodes& present,
                              const std::vector<KnownSpec>& specs, Moment moment);
    std::optional<ExistingSnapshot> same_before(const std::string& tag, Moment moment,
                                                const GraphState& state);
    void write(const GraphInput& input, const SnapshotMoment& at, const GraphState& state,
               const std::vector<NodeRows::Finding>& findings);

    Writing& writing_;
    SQLite::Database& database_;
    IngestOptions options_;
    std::map<std::string, std::vector<CommitLog::Row>> replaced_;  // their commits, by name
    std::set<std::string> to_replace_;
    std::map<std::string, Target> targets_;  // by tag
    std::set<std::string> uncounted_;        // tags with specs since the last snapshot began
    std::set<std::string> given_;            // names of the snapshots of graphs
    std::vector<std::pair<BadPage, PagePlace>> bad_pages_;
    std::vector<std::string> problems_;      // a line for each file that can't be loaded
    std::vector<std::string> unread_sizes_;  // a line for each GraphInput
    std::vector<std::string> refusals_;
    IngestResult result_;
    bool has_changed_ = false;
    bool leaves_over_ = false;
};

/// Loads what `give` gives. If that is to replace existing snapshots, it is undone, and given again
/// to a load that replaced them first. Returns the finished load, or nullptr if `give` returns
/// false: there is nothing to load.
///
/// `begin`: makes a load, and undoes what loads before wrote. Throws what the two throw, and what
/// Load::finish() does.
std::unique_ptr<Load> load_and_replace(const std::function<std::unique_ptr<Load>()>& begin,
                                       const std::function<bool(Load&)>& give);

/// The bad page for a second page of a package in a snapshot. `name` and `first`: the names of both
/// files, for messages.
BadPage second_page(const PageHead& page, const std::string& name, const std::string& first,
                    const std::string& snapshot);

}  // namespace cacheledger
