#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/page.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"
#include "schema/text/keyed_hash.hpp"

/// What earlier runs left in the ledger: of what kind its snapshots are, its pages, the commits
/// that gave them, the files of the newest state. Sources and loads ask it what need not be read.
namespace cacheledger {

/// The word that the column snapshot.kind has, and the kind of such a word.
std::string_view word_of(SourceKind kind);
SourceKind kind_of_word(std::string_view word);

/// What a kind of snapshot is made from, for messages: "lock files", and "the lock file".
std::string_view sources_of(SourceKind kind);
std::string_view source_of(SourceKind kind);

/// Throws UsageError if the series of the tag has snapshots that none of this kind can follow: a
/// series is of pages and indexes, or of lock files, or of install databases.
void refuse_other_kinds(SQLite::Database& database, const std::string& tag, SourceKind kind);

// Two ways to find the ledger's page of a digest, which is not read. Both return nullopt if the
// ledger has none.

/// All pages that the ledger had when this was made, in memory. For runs that read many pages.
class KnownPages {
  public:
    explicit KnownPages(SQLite::Database& database);

    /// Several threads may call this at once.
    std::optional<Page> find(const Digest& digest) const;

  private:
    // Without texts, which took a fifth of the time of reading 15,000 pages.
    struct Row {
        std::int64_t page_id = 0;
        std::int64_t package_id = 0;
        std::size_t num_specs = 0;
        std::size_t tag = 0;  // in `tags_`
    };
    std::unordered_map<Digest, Row, KeyedHash> pages_;
    std::unordered_map<std::int64_t, std::string> packages_;
    std::vector<std::optional<std::string>> tags_;
};

/// Asks the ledger for one page at a time. For runs that read few of the ledger's pages and write
/// new ones meanwhile: their memory must not grow with the ledger. For one thread.
class PageLookup {
  public:
    explicit PageLookup(SQLite::Database& database);

    std::optional<Page> find(const Digest& digest);

  private:
    Select<std::int64_t, std::string, std::optional<std::string>, std::size_t> select_;
};

/// The commits that the ledger holds: the table commit_snapshot. Writes in the caller's
/// transaction. In all functions, `path` is the folder of the repository that is
/// loaded, or with --tag the file.
class CommitLog {
  public:
    explicit CommitLog(SQLite::Database& database);

    /// The commits for which every touched tag is in the ledger.
    std::set<Digest> complete(const std::string& path);

    /// The commits for which this tag is in the ledger, whatever else they touched.
    std::set<Digest> with_tag(const std::string& path, const std::string& tag) {
        return select_with_tag_(path, tag).to<std::set<Digest>>();
    }

    /// The tags of the commit that are in the ledger.
    std::set<std::string> tags(const Digest& commit, const std::string& path) {
        return select_tags_(commit, path).to<std::set<std::string>>();
    }

    /// Where a commit is recorded.
    struct Place {
        std::int64_t snapshot_id = 0;
        /// The name of the snapshot that it belonged to, if a rule of `forget` removed that and
        /// handed the commit over to this one. nullopt: it belongs to this one.
        std::optional<std::string> forgotten = {};
    };

    /// The commits that belong to the snapshot of this name, or belonged to it before a rule
    /// removed that. Not those that were handed over to it.
    std::map<Digest, Place> commits_of(const std::string& snapshot, const std::string& path);

    /// Where the commit is recorded for this tag; nullopt: nowhere.
    std::optional<Place> place_of(const Digest& commit, const std::string& path,
                                  const std::string& tag);

    /// Records tags that a commit touched, each with its place. `tags_touched`: the number of tags
    /// that the commit touched, including those recorded before.
    void add(const Digest& commit, const std::string& path,
             const std::map<std::string, Place>& places, std::size_t tags_touched);

    /// A record about a snapshot. rows_to_keep() and restore() keep it when another snapshot
    /// replaces that one. By default all commits of a replaced snapshot still count as loaded: a
    /// user named another source, and a later run must not undo that. If `only_of` is set, those of
    /// other paths are read again by their next run, unless they were handed over.
    struct Row {
        Digest commit_id{};
        std::string path, tag;
        std::int64_t tags_touched = 0;
        std::optional<std::string> forgotten = {};  // as in Place
    };
    std::vector<Row> rows_to_keep(std::int64_t snapshot_id,
                                  const std::optional<std::string>& only_of);
    void restore(const std::vector<Row>& rows, std::int64_t snapshot_id);

    /// The commits of a snapshot, which is removed, still count as loaded: they are recorded at
    /// `other`, which must be of the same series, and have no part in it.
    void hand_over(std::int64_t snapshot_id, std::int64_t other);

    /// The same for the commits that were handed over to it only.
    void hand_on(std::int64_t snapshot_id, std::int64_t other);

  private:
    void write(const Row& row, std::int64_t snapshot_id) {
        insert_(row.commit_id, row.path, row.tag, snapshot_id, row.tags_touched, row.forgotten);
    }

    SQLite::Database& database_;
    Select<Digest> select_with_tag_;
    Select<std::string> select_tags_;
    Select<std::int64_t, std::optional<std::string>> select_place_;
    Write insert_;
};

/// Records that a run looked at what the snapshots of these tags are loaded from, whether or not
/// anything had changed. That alone makes no new state of the ledger. `transaction` is one of
/// `database`.
void record_check(WriteTransaction& transaction, SQLite::Database& database,
                  const std::set<std::string>& tags, Moment at = now());

/// A file that a snapshot was made from: an index, a lock file or an install database.
struct SnapshotFile {
    std::string label;       ///< the stack; "" for none
    std::uint64_t size = 0;  ///< in bytes
    std::string sha256;      ///< of these, in hex digits

    bool operator==(const SnapshotFile&) const = default;
};

/// A snapshot that another one of the same files would equal.
struct FilesBefore {
    std::int64_t snapshot_id = 0;
    std::string name;
    std::string tag;
    SourceKind kind = SourceKind::index;
    std::size_t specs = 0;
    bool is_at_moment = false;  ///< else it is the newest of its series, before that moment
    std::vector<SnapshotFile> files;
};

/// The snapshot that is in force in the series of `tag` at `moment`. nullopt if there is none, if a
/// later one follows or its files are not known, if a part of it was not observed, if it has
/// findings, which reading its files again would give again, or if a snapshot that was loaded
/// since may have taught the ledger to find conflicts in them.
std::optional<FilesBefore> find_files_before(SQLite::Database& database, const std::string& tag,
                                             Moment moment);

/// Writes the files of a snapshot, in the caller's transaction.
void write_files(SQLite::Database& database, std::int64_t snapshot_id,
                 const std::vector<SnapshotFile>& files);

/// The stacks of the newest snapshot in the series of `tag`, sorted: those of its files, whether
/// they have builds or not, and those that could not be read.
std::vector<std::string> stacks_before(SQLite::Database& database, const std::string& tag);

/// Compares an existing snapshot with the pages, or the states of packages, that are loaded for its
/// tag and moment.
class ExistingSnapshot {
  public:
    /// nullopt if the ledger has no snapshot of this tag and moment. `database` must outlive the
    /// result.
    static std::optional<ExistingSnapshot> find(SQLite::Database& database, const std::string& tag,
                                                Moment taken_at);

    /// Whether the snapshot has another page of this package: then compare() needs the specs.
    bool has_other(const PageHead& page) const;

    /// Adds a loaded page. It equals the stored page if the texts are equal, or if their meaning
    /// is: spelling is not content, but the findings of a page are (StoredPage). `file`: its name
    /// for messages.
    void compare(const Page& page, const std::string& file);

    /// Adds a page that could not be loaded, of a package if that is known. `kind`: the kind of its
    /// finding. `observed`: whether another page of the package was loaded.
    void compare_bad(const std::optional<std::string>& package, FindingKind kind, bool observed);

    /// The first difference in the order of packages, in words, or nullopt. Call this after all
    /// pages.
    std::optional<std::string> difference(bool partial) const;

    /// For a snapshot that is not made from pages: the first package, in their order, of which the
    /// snapshot has another state, in words, or nullopt. `states`: what each is known by.
    std::optional<std::string> other_state(const std::map<std::string, Digest>& states) const;

    std::int64_t snapshot_id() const { return snapshot_id_; }
    std::int64_t series_id() const { return series_id_; }
    Moment taken_at() const { return taken_at_; }
    /// Whether it does not observe all packages.
    bool is_partial() const { return partial_; }
    SourceKind kind() const { return kind_; }
    const std::string& name() const { return name_; }

  private:
    explicit ExistingSnapshot(SQLite::Database& database) : database_(&database) {}

    struct HeldPage {
        Digest digest{};
        std::int64_t page_id = 0;
    };

    SQLite::Database* database_;
    std::int64_t snapshot_id_ = 0;
    std::int64_t series_id_ = 0;
    Moment taken_at_ = 0;
    std::string name_;
    SourceKind kind_ = SourceKind::pages;
    bool partial_ = false;
    std::map<std::string, HeldPage> pages_;           // of the packages that it observed
    std::set<std::string> unobserved_;                // packages whose page could not be read then
    std::set<std::string> given_;                     // packages that are loaded now
    std::set<std::string> given_unobserved_;          // packages whose page can't be read now
    std::map<std::string, std::string> differences_;  // by package
    using BadPages = std::multiset<std::pair<std::string, std::string>>;  // package, kind
    BadPages bad_pages_;
    BadPages given_bad_pages_;
};

}  // namespace cacheledger
