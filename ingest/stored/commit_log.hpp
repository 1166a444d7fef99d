#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/page/page.hpp"
#include "schema/transactions/change_log.hpp"

namespace cacheledger {

/// The commits that the ledger holds: the table commit_snapshot. Writes in the caller's
/// transaction. In all functions, `path` is the folder of the repository that is loaded.
class CommitLog {
  public:
    explicit CommitLog(SQLite::Database& database);

    /// The commits for which every touched tag is in the ledger.
    std::set<Digest> complete(const std::string& path);

    /// The commits for which this tag is in the ledger, whatever else they touched.
    std::set<Digest> with_tag(const std::string& path, const std::string& tag);

    /// The tags of the commit that are in the ledger.
    std::set<std::string> tags(const Digest& commit, const std::string& path);

    /// The commits that gave the snapshot of this name, each with the id of the snapshot.
    std::map<Digest, std::int64_t> commits_of(const std::string& snapshot, const std::string& path);

    /// Records tags that a commit touched, each with the snapshot that holds its pages.
    /// `tags_touched`: the number of tags that the commit touched, including those recorded before.
    void add(const Digest& commit, const std::string& path,
             const std::map<std::string, std::int64_t>& snapshots, std::size_t tags_touched);

    /// A record about a snapshot. rows_to_keep() and restore() keep it when another snapshot
    /// replaces that one. By default all commits of a replaced snapshot still count as loaded: a
    /// user named another source, and a later run must not undo that. If `only_of` is set, those of
    /// other paths are read again by their next run.
    struct Row {
        Digest commit_id{};
        std::string path, tag;
        std::int64_t tags_touched = 0;
    };
    std::vector<Row> rows_to_keep(std::int64_t snapshot_id,
                                  const std::optional<std::string>& only_of);
    void restore(const std::vector<Row>& rows, std::int64_t snapshot_id);

    /// The commits of a snapshot, which is removed, count as loaded: they become commits of
    /// `other`, which must be of the same series.
    void hand_over(std::int64_t snapshot_id, std::int64_t other);

    /// The same for the commits that were handed over to it: only the commit that its column
    /// `source` names is its own. All are if that names none of them.
    void hand_on(std::int64_t snapshot_id, std::int64_t other);

  private:
    void write(const Row& row, std::int64_t snapshot_id);
    void move(SQLite::Statement& update, std::int64_t snapshot_id, std::int64_t other);

    SQLite::Statement select_complete_, select_with_tag_, select_tags_, select_commits_,
        select_rows_, select_snapshot_, insert_, hand_over_, hand_on_;
    RowNotes notes_;
};

}  // namespace cacheledger
