#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/render/document/document.hpp"
#include "reports/site/files/data_file.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// The snapshots that the views of a site show first, by their names.
struct SiteSnapshots {
    std::optional<std::string> at;
    std::optional<std::string> from, to;  ///< both or none
};

/// A result of a report that is in the site.
struct WrittenResult {
    std::string report;
    std::vector<std::pair<std::string, Value>> arguments;  ///< all, in the order of the header
    std::string group;                                     ///< its file is of results.GROUP
    std::size_t rows = 0;
};

/// The names of an earlier and a later snapshot.
using SnapshotNames = std::pair<std::string, std::string>;

struct WrittenResults {
    std::vector<WrittenResult> list;
    /// Of the file of each group. The group that the pages load at once is the first.
    std::vector<std::pair<std::string, std::string>> digests;
};

/// The snapshot before this one in its series, by its name; nullopt if it is the first.
std::optional<std::string> snapshot_before(SQLite::Database& database, const std::string& name);

/// The pairs of snapshots whose reasons a site has, since the pages can't work them out: that of
/// the site, and in each series the newest 30 snapshots, each against the one before, and the
/// newest against those of a week, a month, a quarter and a year before and against the first. Each
/// pair once, the newest first. None if the ledger has no two snapshots.
std::vector<SnapshotNames> site_pairs(SQLite::Database& database, const SiteSnapshots& snapshots);

/// The arguments as an object.
std::string arguments_json(const std::vector<std::pair<std::string, Value>>& arguments);

/// What the reports of a part have in common: what is held for all of them.
enum class ResultPart : std::uint8_t {
    history,   ///< nothing
    snapshot,  ///< the builds of `at`
    pair,      ///< the drift from `from` to `to`
    reasons,   ///< the drift of one pair of site_pairs() after the other
};
inline constexpr std::array<ResultPart, 4> result_parts = {
    ResultPart::history, ResultPart::snapshot, ResultPart::pair, ResultPart::reasons};

/// The results of the reports behind the first views (reports/site/FORMAT.md, "results.GROUP").
/// Those that are too large are left out.
class SiteResults {
  public:
    /// `catalog` outlives this.
    SiteResults(SQLite::Database& database, const Catalog& catalog, const SiteSnapshots& snapshots);

    /// Runs the reports of a part. Threads may do so at once, each with another part and a
    /// connection of its own to the same ledger. `progress` counts reports of all parts. Throws
    /// what run_report() throws.
    void compute(ResultPart part, SQLite::Database& database, const Progress& progress);

    /// Writes a file for each group, when all parts are computed. The same ledger gives the same
    /// files.
    WrittenResults write(const WriteFile& write) const;

  private:
    struct Held;
    struct Task {
        ResultPart part = ResultPart::history;
        std::string_view group;
        const Report* report = nullptr;  ///< nullptr: the words of diff
        std::vector<std::pair<std::string, Value>> arguments = {};
        std::size_t rows = 0;
        std::string json = {};  ///< empty: it is left out
    };

    void add_words(ResultPart part, const std::string& from, const std::string& to);
    void add_reasons(const SnapshotNames& pair);
    void compute(Task& task, SQLite::Database& database, const Held& held);
    void add(std::string_view group, const Report& report, const SiteSnapshots& snapshots);

    const Catalog& catalog_;
    SiteSnapshots snapshots_;
    std::vector<Task> tasks_;
    std::atomic<std::size_t> done_ = 0;
};

/// The ledger of a site.
struct WrittenLedger {
    std::uint64_t slices = 0;
    std::uint64_t bytes = 0;  ///< of the database
    std::uint64_t page_size = 0;
    std::uint64_t pages_of_slice = 0;
    std::uint64_t compressed = 0;            ///< bytes of all slices, as gzip
    std::string digest = {};                 ///< of the file that names them
    std::optional<std::string> reason = {};  ///< why there is none, as a sentence for readers
};

/// Writes the database as data/ledger/FOLDER/N.DIGEST.js: slices of some pages, each packed by
/// itself, so that the pages load those that a question reads, and data/ledger.DIGEST.js, which
/// names them (reports/site/FORMAT.md). Nobody may write to
/// the file meanwhile. The same rows in the same order give the same bytes, whatever happened to
/// the file before. `progress` counts slices. Throws UsageError if the file can't be read.
WrittenLedger write_ledger(const std::filesystem::path& database, const WriteFile& write,
                           const Progress& progress);

/// What a site says of itself.
struct AboutSite {
    std::string program;  ///< name and version
    std::string title;
    std::optional<std::string> mirror;  ///< its URL, in which {tag} and {stack} stand for names
    SiteSnapshots snapshots;
    WrittenResults results;
    WrittenLedger ledger;
};

/// Writes it, with the names that are in the ledger (reports/site/FORMAT.md, "about"). Returns the
/// digest of its file.
std::string write_about(SQLite::Database& database, const AboutSite& about, const WriteFile& write);

/// Writes all reports of the catalog, and the statements that some of them need before they run
/// (reports/site/FORMAT.md, "reports"). Returns the digest of their file.
std::string write_reports(const Catalog& catalog, const WriteFile& write);

/// What index.html says of the site without its scripts, as HTML.
struct PlainPage {
    std::string head;  ///< <title> and the description
    std::string text;  ///< the numbers of coverage/summary, and what changed since the one before
};

/// For readers without JavaScript, and for those who are sent a link. Throws what run_report()
/// throws.
PlainPage plain_page(SQLite::Database& database, const Catalog& catalog, std::string_view title,
                     const SiteSnapshots& snapshots);

/// The page of the bundle with these in their places: between <!-- head --> and <!-- /head -->,
/// between <!-- text --> and <!-- /text -->, and between <!-- data --> and <!-- /data --> what
/// loads these files of data. A page without such a place stays as it is there.
std::string filled(std::string page, const PlainPage& plain, const std::vector<std::string>& files);

/// What the newest twenty snapshots brought, each against the one before it in its series: packages
/// that are new and gone, new versions, and how many builds of each stack came and went. The newest
/// one of each series is always among them, of a hundred series at most. `last`: only the newest
/// ones of each series. Throws what compare_snapshots() throws.
Feed site_feed(SQLite::Database& database, const Catalog& catalog, std::string_view title,
               std::optional<std::size_t> last);

}  // namespace cacheledger
