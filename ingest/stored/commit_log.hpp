#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ingest/page/page.hpp"

namespace cacheledger {

/// The commits that the ledger holds: the table commit_snapshot. Writes in the caller's
/// transaction. In all functions, `path` is the folder of the repository that is loaded.
class CommitLog {
  public:
    explicit CommitLog(SQLite::Database& database);

    /// The commits for which every touched tag is in the ledger.
    std::set<Digest> complete(const std::string& path);

    /// The tags of the commit that are in the ledger.
    std::set<std::string> tags(const Digest& commit, const std::string& path);

    /// The commits that gave the snapshot of this name, each with the id of the snapshot.
    std::map<Digest, std::int64_t> commits_of(const std::string& snapshot, const std::string& path);

    /// Records tags that a commit touched, each with the snapshot that holds its pages.
    /// `tags_touched`: the number of tags that the commit touched, including those recorded before.
    void add(const Digest& commit, const std::string& path,
             const std::map<std::string, std::int64_t>& snapshots, std::size_t tags_touched);

    /// A record about a snapshot. rows_of() and restore() keep it when another snapshot replaces
    /// that one.
    struct Row {
        Digest commit_id{};
        std::string path, tag;
        std::int64_t tags_touched = 0;
    };
    std::vector<Row> rows_of(std::int64_t snapshot_id);
    void restore(const std::vector<Row>& rows, std::int64_t snapshot_id);

  private:
    SQLite::Statement select_complete_, select_tags_, select_commits_, select_rows_, insert_;
};

}  // namespace cacheledger
