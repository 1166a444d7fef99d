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

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/rows/intervals/interval_table.hpp"
#include "ingest/rows/intervals/presence_history.hpp"
#include "ingest/rows/nodes/node_rows.hpp"
#include "ingest/rows/snapshots/cache_state.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "ingest/sources/pages/source.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"

/// Loading: what sources yield becomes snapshots.
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
    void drop(const std::string& package) { dropped_.insert(dictionary_.words.package(package)); }

    /// Whether the snapshot is the newest of its series.
    bool can_append() const { return history_.can_append(series_id_, taken_at_); }

    /// The package's page could not be read: the package keeps its last state.
    void leave_unobserved(const std::string& package) {
        unobserved_.insert(dictionary_.words.package(package));
    }

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
               const std::optional<SeenPage>& page) {
        counts_.add(history_.set(series_id_, package_id, taken_at_, std::move(state), page));
    }
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

/// The kind of all files. Throws UsageError if they are of several, or if a file that has no stacks
/// has a label.
SourceKind kind_of(const GraphInput& input);

/// Who is there, by index into Graph::nodes: what the index of `root` has, or any where there is
/// none or views are beside it, each in the stack of every index that has it. An index without a
/// label is that of `root`.
/// The specs of a lock file or an install database are in no stack.
struct PresentNodes {
    std::vector<StackNames> stack_sets;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;  ///< node, stack set
};

/// Throws InputError for a label that can't name a stack.
PresentNodes present_nodes(const GraphInput& input);

/// What the snapshot of a GraphInput observes, as it would be stored.
struct GraphState {
    SourceKind kind = SourceKind::index;
    CacheState cache;
    std::vector<UnobservedStack> unobserved;
    std::vector<SeenRoot> roots;
    std::vector<PageHead> heads;             ///< of each package, in the order of cache.specs
    std::map<std::string, Digest> packages;  ///< the same by name
    std::vector<std::string> of_mirrors;     ///< findings that are content: kind and detail, sorted
    bool is_held = false;                    ///< it is that of the snapshot before, none of these
};

/// Who is there, as specs. `specs`: by index into Graph::nodes.
CacheState state_of(const GraphInput& input, const PresentNodes& present,
                    const std::vector<KnownSpec>& specs);

/// The stacks of the files that could not be read, sorted.
std::vector<UnobservedStack> unobserved_stacks_of(const GraphInput& input);

/// The roots of all files, sorted and numbered. What several files say is one root.
std::vector<SeenRoot> roots_of(const GraphInput& input, const std::vector<KnownSpec>& specs);

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
class Load : public Earlier {
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

    FindKnown known_pages() override;
    const KnownNodes& known_nodes(const std::string& tag) override {
        return writing_.known_nodes(tag);
    }
    std::optional<FilesBefore> files_before(const std::string& tag) override;

    /// Makes a snapshot of pages of this tag, even if no page of it is taken.
    void touch(const std::string& tag) { target_for(tag); }

    /// Says once, instead of giving their pages, that all packages of the tag that are not given
    /// and not dropped stay as they are in the snapshot before. Returns false and does nothing if
    /// the tag's snapshot does not continue the newest one of its series. Touch the tag before.
    bool keep_others(const std::string& tag);

    /// After keep_others(): the package has no page any more, unless one is given.
    void drop(const std::string& tag, const std::string& package) {
        targets_.at(tag).writer->drop(package);
    }

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
