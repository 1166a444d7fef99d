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

#include "ingest/formats/page_reader.hpp"
#include "ingest/ids/dictionary.hpp"
#include "ingest/presence/package_history.hpp"
#include "ingest/snapshots/existing_snapshot.hpp"
#include "ingest/snapshots/snapshot_writer.hpp"
#include "ingest/sources/source.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

struct LoadOptions {
    std::string source;              ///< where the pages come from, as snapshots say it
    Moment taken_at = 0;             ///< of mutable tags
    std::optional<std::string> tag;  ///< file the pages under this tag, whatever they say
    bool partial = false;            ///< packages that are not given are not gone
    bool keep_going = false;         ///< load the good pages, record the bad ones as findings
    bool replace = false;            ///< a snapshot with other content gives way
    /// Of a git repository: the folder that is loaded. Commits of another folder whose snapshot
    /// gives way are read again when that is loaded; where pages that a user names replace a
    /// snapshot, no commit undoes it.
    std::optional<std::string> history_of;
    /// Of each snapshot that has this moment: what is odd about it.
    std::optional<PageFinding> about_moment = {};
};

/// What a load did. Snapshots are named as people name them.
struct LoadResult {
    std::size_t pages = 0;
    std::size_t specs = 0;
    std::size_t other_files = 0;         ///< files with front matter that are no package pages
    std::vector<std::string> loaded;     ///< names of snapshots
    std::vector<std::string> replaced;   ///< those of them that took the place of another
    std::vector<std::string> unchanged;  ///< that were there with the same content
    std::map<std::string, std::int64_t> snapshots;  ///< all of these, the id by tag
    std::vector<std::string> bad_pages;             ///< a line each
};

/// Makes of pages that belong together one snapshot for each tag among them. Does not know where
/// pages come from. Writes in the caller's transaction.
class Load {
  public:
    /// `replaced`: names of snapshots that are to give way. `dictionary` and `history` must be the
    /// only ones in use, and may serve one load after the other. All must outlive the load.
    Load(SQLite::Database& database, Dictionary& dictionary, PackageHistory& history,
         LoadOptions options, const std::set<std::string>& replaced);

    /// Takes a page, or what is there instead of one.
    void take(const PageState& state);

    /// Makes the snapshot of this tag, even if no page of it is taken.
    void touch(const std::string& tag) { target_for(tag); }

    /// Ends it, after all pages. Throws InputError with every page that can't be loaded, or naming
    /// the first page that differs from a snapshot that is there.
    void finish();

    /// Whether a good page was taken, or a tag touched.
    bool has_snapshots() const { return !targets_.empty(); }
    bool has_bad_pages() const { return !bad_pages_.empty(); }

    /// A line for each page that can't be loaded.
    std::vector<std::string> problems() const;

    const LoadResult& result() const { return result_; }

    /// After finish(): the snapshots that are there with other content, where such may be replaced.
    /// The load is then to be rolled back and made again, with these given way.
    const std::set<std::string>& to_replace() const { return to_replace_; }

  private:
    // What becomes of one tag: it is written, or compared with the snapshot that is there.
    struct Target {
        std::string tag;
        std::string name;
        std::optional<ExistingSnapshot> existing;
        std::unique_ptr<SnapshotWriter> writer;
        std::map<std::string, std::string> files;  // by package
        bool misses_packages = false;              // a page of an unknown package could not be read
    };

    Target& target_for(const std::string& tag);
    void begin(Target& target, Moment moment);
    void take_page(const PageHead& page, const PageState& state);
    void take_specs(const Page& page, const std::optional<std::int64_t>& page_id,
                    const PagePlace& place, Target& target);
    std::vector<Target*> targets_of(const BadPage& page, const PlaceSays& place);
    void record(const BadPage& page, const PagePlace& place);
    void finish(Target& target);

    SQLite::Database& database_;
    Dictionary& dictionary_;
    PackageHistory& history_;
    LoadOptions options_;
    const std::set<std::string>& replaced_;
    std::set<std::string> to_replace_;
    PageReader reader_;
    std::map<std::string, Target> targets_;  // by tag
    std::vector<std::pair<BadPage, PagePlace>> bad_pages_;
    std::vector<std::string> refusals_;
    LoadResult result_;
};

/// The page of a package that has one already in its snapshot, `first`. Both are named as messages
/// name them.
BadPage second_page(const PageHead& page, const std::string& name, const std::string& first,
                    const std::string& snapshot);

}  // namespace cacheledger
