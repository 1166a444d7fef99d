#include "ingest/rows/earlier/earlier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

namespace {

struct KindWords {
    std::string_view word, several, one;
    int group = 0;  // a series is of one
};

// In the order of SourceKind.
constexpr std::array<KindWords, 4> kinds = {
    {{"pages", "pages", "the page", 0},
     {"index", "indexes", "the index", 0},
     {"lock", "lock files", "the lock file", 1},
     {"install", "install databases", "the install database", 2}}};

const KindWords& words_of(SourceKind kind) {
    return kinds.at(static_cast<std::size_t>(kind));
}

Page page_of_row(const Digest& digest, std::int64_t page_id, std::string package,
                 std::optional<std::string> tag, std::size_t num_specs) {
    Page page{{digest, std::move(package), std::move(tag), num_specs}};
    page.page_id = page_id;
    page.is_read = false;
    return page;
}

// To be raised when more of a file is read, or otherwise, than before: files are then read again.
constexpr int newest_rules = 3;

}  // namespace

std::string_view word_of(SourceKind kind) {
    return words_of(kind).word;
}

SourceKind kind_of_word(std::string_view word) {
    const auto* const found = std::ranges::find(kinds, word, &KindWords::word);
    return static_cast<SourceKind>(found - kinds.begin());
}

std::string_view sources_of(SourceKind kind) {
    return words_of(kind).several;
}

std::string_view source_of(SourceKind kind) {
    return words_of(kind).one;
}

void refuse_other_kinds(SQLite::Database& database, const std::string& tag, SourceKind kind) {
    // All snapshots of a series are of one group, so one of them is enough.
    const auto found = first_value<std::string>(
        database,
        "SELECT s.kind FROM series r JOIN snapshot s USING (series_id) WHERE r.name = ? LIMIT 1",
        series_of_tag(tag));
    if (found && words_of(kind_of_word(*found)).group != words_of(kind).group) {
        throw UsageError(
            fmt::format("the tag '{}' has snapshots of {}, which no snapshot of {} can follow; "
                        "give another one with --tag",
                        tag, sources_of(kind_of_word(*found)), sources_of(kind)));
    }
}

KnownPages::KnownPages(SQLite::Database& database)
    : packages_(rows<std::int64_t, std::string>(database, "SELECT package_id, name FROM package")
                    .to<decltype(packages_)>()) {
    pages_.reserve(only_value<std::size_t>(database, "SELECT count(*) FROM page"));
    for (auto&& [page_id, package_id, num_specs, digest, tag] :
         rows<std::int64_t, std::int64_t, std::size_t, Digest, std::optional<std::string>>(
             database, "SELECT page_id, package_id, num_specs, digest, tag FROM page")) {
        // Pages of one tag follow each other.
        if (tags_.empty() || tags_.back() != tag) {
            tags_.push_back(std::move(tag));
        }
        pages_.emplace(digest, Row{page_id, package_id, num_specs, tags_.size() - 1});
    }
}

std::optional<Page> KnownPages::find(const Digest& digest) const {
    const auto found = pages_.find(digest);
    if (found == pages_.end()) {
        return std::nullopt;
    }
    const Row& row = found->second;
    return page_of_row(digest, row.page_id, packages_.at(row.package_id), tags_[row.tag],
                       row.num_specs);
}

PageLookup::PageLookup(SQLite::Database& database)
    : select_(database,
              "SELECT page_id, name, tag, num_specs "
              "FROM page JOIN package USING (package_id) WHERE digest = ?") {}

std::optional<Page> PageLookup::find(const Digest& digest) {
    for (auto&& [page_id, package, tag, num_specs] : select_(digest)) {
        return page_of_row(digest, page_id, std::move(package), std::move(tag), num_specs);
    }
    return std::nullopt;
}

CommitLog::CommitLog(SQLite::Database& database)
    : database_(database),
      select_with_tag_(database,
                       "SELECT commit_id FROM commit_snapshot WHERE path = ? AND tag = ?"),
      select_tags_(database, "SELECT tag FROM commit_snapshot WHERE commit_id = ? AND path = ?"),
      select_place_(database,
                    "SELECT snapshot_id, forgotten FROM commit_snapshot "
                    "WHERE commit_id = ? AND path = ? AND tag = ?"),
      insert_(database,
              "INSERT OR REPLACE INTO commit_snapshot (commit_id, path, tag, snapshot_id, "
              "tags_touched, forgotten) VALUES (?, ?, ?, ?, ?, ?)") {}

std::set<Digest> CommitLog::complete(const std::string& path) {
    return rows<Digest>(database_,
                        "SELECT commit_id FROM commit_snapshot WHERE path = ? "
                        "GROUP BY commit_id HAVING count(*) >= max(tags_touched)",
                        path)
        .to<std::set<Digest>>();
}

std::map<Digest, CommitLog::Place> CommitLog::commits_of(const std::string& snapshot,
                                                         const std::string& path) {
    std::map<Digest, Place> commits;
    for (auto&& [commit, snapshot_id, forgotten] :
         rows<Digest, std::int64_t, std::optional<std::string>>(
             database_,
             "SELECT commit_id, snapshot_id, forgotten FROM commit_snapshot "
             "JOIN snapshot USING (snapshot_id) "
             "WHERE name = ?1 AND path = ?2 AND forgotten IS NULL UNION ALL "
             "SELECT commit_id, snapshot_id, forgotten FROM commit_snapshot "
             "WHERE forgotten = ?1 AND path = ?2",
             snapshot, path)) {
        commits.emplace(commit, Place{snapshot_id, std::move(forgotten)});
    }
    return commits;
}

std::optional<CommitLog::Place> CommitLog::place_of(const Digest& commit, const std::string& path,
                                                    const std::string& tag) {
    for (auto&& [snapshot_id, forgotten] : select_place_(commit, path, tag)) {
        return Place{snapshot_id, std::move(forgotten)};
    }
    return std::nullopt;
}

void CommitLog::add(const Digest& commit, const std::string& path,
                    const std::map<std::string, Place>& places, std::size_t tags_touched) {
    for (const auto& [tag, place] : places) {
        write({commit, path, tag, static_cast<std::int64_t>(tags_touched), place.forgotten},
              place.snapshot_id);
    }
}

std::vector<CommitLog::Row> CommitLog::rows_to_keep(std::int64_t snapshot_id,
                                                    const std::optional<std::string>& only_of) {
    auto kept = rows<Digest, std::string, std::string, std::int64_t, std::optional<std::string>>(
                    database_,
                    "SELECT commit_id, path, tag, tags_touched, forgotten "
                    "FROM commit_snapshot WHERE snapshot_id = ?",
                    snapshot_id)
                    .to<std::vector<Row>>();
    if (only_of) {
        std::erase_if(kept, [&](const Row& row) { return row.path != *only_of && !row.forgotten; });
    }
    return kept;
}

void CommitLog::restore(const std::vector<Row>& rows, std::int64_t snapshot_id) {
    for (const Row& row : rows) {
        write(row, snapshot_id);
    }
}

void CommitLog::hand_over(std::int64_t snapshot_id, std::int64_t other) {
    execute(database_,
            "UPDATE commit_snapshot SET snapshot_id = ?1, forgotten = ifnull(forgotten, "
            "(SELECT name FROM snapshot WHERE snapshot_id = ?2)) WHERE snapshot_id = ?2",
            other, snapshot_id);
}

void CommitLog::hand_on(std::int64_t snapshot_id, std::int64_t other) {
    execute(database_,
            "UPDATE commit_snapshot SET snapshot_id = ? WHERE snapshot_id = ? "
            "AND forgotten IS NOT NULL",
            other, snapshot_id);
}

void record_check(WriteTransaction& transaction, SQLite::Database& database,
                  const std::set<std::string>& tags, Moment at) {
    transaction.write_aside([&] {
        for (const std::string& tag : tags) {
            execute(database,
                    "UPDATE series SET checked_at = ?1 WHERE name = ?2 AND "
                    "(checked_at IS NULL OR checked_at < ?1)",
                    at, series_of_tag(tag));
        }
    });
}

std::optional<FilesBefore> find_files_before(SQLite::Database& database, const std::string& tag,
                                             Moment moment) {
    const auto found =
        rows<std::int64_t, std::string, std::string, std::string, std::size_t, Moment>(
            database,
            "SELECT s.snapshot_id, s.name, s.tag, s.kind, s.specs, s.taken_at FROM series r "
            "JOIN snapshot s USING (series_id) WHERE r.name = ?1 AND s.taken_at <= ?2 "
            "AND s.observes_all "
            "AND NOT EXISTS (SELECT 1 FROM snapshot n WHERE n.series_id = s.series_id "
            "AND n.taken_at > s.taken_at) "
            "AND NOT EXISTS (SELECT 1 FROM unobserved_stack u "
            "WHERE u.snapshot_id = s.snapshot_id) "
            "AND NOT EXISTS (SELECT 1 FROM finding f WHERE f.snapshot_id = s.snapshot_id "
            "OR (f.snapshot_id > s.snapshot_id AND f.kind = 'hash-conflict'))",
            series_of_tag(tag), moment)
            .first();
    if (!found) {
        return std::nullopt;
    }
    FilesBefore before;
    Moment taken_at = 0;
    std::string kind;
    std::tie(before.snapshot_id, before.name, before.tag, kind, before.specs, taken_at) = *found;
    before.kind = kind_of_word(kind);
    before.is_at_moment = taken_at == moment;
    if (before.is_at_moment && before.name != snapshot_name(tag, moment)) {
        return std::nullopt;
    }
    before.files = rows<std::string, std::uint64_t, std::string>(
                       database,
                       "SELECT label, size, sha256 FROM snapshot_file WHERE snapshot_id = ? "
                       "AND rules = ? ORDER BY number",
                       before.snapshot_id, newest_rules)
                       .to<std::vector<SnapshotFile>>();
    return before.files.empty() ? std::nullopt : std::optional(before);
}

void write_files(SQLite::Database& database, std::int64_t snapshot_id,
                 const std::vector<SnapshotFile>& files) {
    const Write insert(
        database,
        "INSERT INTO snapshot_file (snapshot_id, number, label, size, sha256, rules) "
        "VALUES (?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < files.size(); ++i) {
        insert(snapshot_id, i, files[i].label, files[i].size, files[i].sha256, newest_rules);
    }
}

std::vector<std::string> stacks_before(SQLite::Database& database, const std::string& tag) {
    // The labels are not stored where a file could not be read.
    return all_values<std::string>(
        database,
        "WITH newest AS (SELECT series_id, s.snapshot_id FROM series r JOIN snapshot s "
        "USING (series_id) WHERE r.name = ? ORDER BY s.taken_at DESC LIMIT 1) "
        "SELECT label FROM newest JOIN snapshot_file USING (snapshot_id) WHERE label <> '' "
        "UNION SELECT stack FROM newest JOIN unobserved_stack USING (snapshot_id) "
        "WHERE stack <> 'root' "
        "UNION SELECT t.name FROM (SELECT DISTINCT stack_set_id FROM newest JOIN presence "
        "USING (series_id) WHERE valid_to IS NULL) JOIN stack_set_member USING (stack_set_id) "
        "JOIN stack t USING (stack_id) WHERE NOT t.is_root ORDER BY 1",
        series_of_tag(tag));
}

}  // namespace cacheledger
