#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/ids/dictionary.hpp"
#include "ingest/presence/package_history.hpp"
#include "ingest/snapshots/snapshot_writer.hpp"
#include "ingest/sources/source.hpp"
#include "ingest/stored/existing_snapshot.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

struct LoadOptions {
    std::string source;              ///< where the pages come from, for the column `source`
    Moment taken_at = 0;             ///< of mutable tags
    std::optional<std::string> tag;  ///< the tag of all pages, instead of their own
    bool partial = false;            ///< packages without a page stay as they are
    bool keep_going = false;         ///< load the good pages and record the bad ones as findings
    bool replace = false;            ///< replace an existing snapshot that has other content
    /// A replaced snapshot may have come from commits: those of which folder still count as loaded
    /// (CommitLog::rows_to_keep).
    std::optional<std::string> keep_commits_of = {};
    /// A finding about the moment `taken_at`, for each snapshot at this moment.
    std::optional<PageFinding> about_moment = {};
};

/// The result of a load.
struct LoadResult {
    std::size_t pages = 0;  ///< or indexes, lock files, install databases
    std::size_t specs = 0;
    std::size_t needed_specs = 0;        ///< that are not in a snapshot, but needed by its specs
    std::size_t other_files = 0;         ///< files with front matter that are not package pages
    std::vector<std::string> loaded;     ///< names of snapshots
    std::vector<std::string> replaced;   ///< those of `loaded` that replaced another
    std::vector<std::string> unchanged;  ///< names of existing snapshots with the same content
    /// The ids of loaded and unchanged snapshots, by tag.
    std::map<std::string, std::int64_t> snapshots;
    std::vector<std::string> bad_pages;  ///< a line for each
};

/// Loads the page states of one run: makes one snapshot for each tag among them. Does not know
/// where they come from. Writes in the caller's transaction.
class Load {
  public:
    /// `replaced`: names of existing snapshots to replace. `dictionary` and `history` must be the
    /// only ones in use; several loads may use them, one after the other. All must outlive the
    /// load.
    Load(SQLite::Database& database, Dictionary& dictionary, PackageHistory& history,
         LoadOptions options, const std::set<std::string>& replaced);

    /// Takes a good page, a bad one, or a file that is not a page.
    void take(const PageState& state);

    /// Makes a snapshot of this tag, even if no page of it is taken.
    void touch(const std::string& tag) { target_for(tag); }

    /// Says once, instead of giving their pages, that all packages of the tag that are not given
    /// and not dropped stay as they are in the snapshot before. Returns false and does nothing if
    /// the tag's snapshot does not continue the newest one of its series. Touch the tag before.
    bool keep_others(const std::string& tag);

    /// After keep_others(): the package has no page any more, unless one is given.
    void drop(const std::string& tag, const std::string& package);

    /// Ends the load after all pages. Throws InputError with every page that can't be loaded, or
    /// with the first page that differs from an existing snapshot.
    void finish();

    /// Whether a good page was taken, or a tag touched.
    bool has_snapshots() const { return !targets_.empty(); }
    bool has_bad_pages() const { return !bad_pages_.empty(); }

    /// A line for each page that can't be loaded.
    std::vector<std::string> problems() const;

    const LoadResult& result() const { return result_; }

    /// After finish(): whether the tag's snapshot is new and the newest of its series, and the load
    /// had good pages only, those of the tag without findings about their places.
    bool is_in_force(const std::string& tag) const;

    /// After finish(): the names of existing snapshots with other content, if options.replace is
    /// set. If there are any, the caller must roll back and load again with these names as
    /// `replaced`.
    const std::set<std::string>& to_replace() const { return to_replace_; }

  private:
    // The snapshot of one tag: either written, or compared with the existing one.
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

    Target& target_for(const std::string& tag);
    void begin(Target& target, Moment moment);
    void take_page(const PageHead& page, const PageState& state);
    void take_specs(const Page& page, const std::optional<std::int64_t>& page_id,
                    const PageState& state, Target& target);
    static void add_findings(const PageHead& page, const PageState& state, Target& target);
    std::vector<Target*> targets_of(const BadPage& page);
    void record(const BadPage& page, const PagePlace& place);
    void finish(Target& target);

    SQLite::Database& database_;
    Dictionary& dictionary_;
    PackageHistory& history_;
    LoadOptions options_;
    const std::set<std::string>& replaced_;
    std::set<std::string> to_replace_;
    std::map<std::string, Target> targets_;  // by tag
    std::set<std::string> uncounted_;        // tags with specs since the last snapshot began
    std::vector<std::pair<BadPage, PagePlace>> bad_pages_;
    std::vector<std::string> refusals_;
    LoadResult result_;
};

/// The bad page for a second page of a package in a snapshot. `name` and `first`: the names of both
/// files, for messages.
BadPage second_page(const PageHead& page, const std::string& name, const std::string& first,
                    const std::string& snapshot);

}  // namespace cacheledger
