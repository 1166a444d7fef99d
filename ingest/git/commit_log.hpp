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

/// The commits of git repositories that the ledger holds: the table commit_snapshot. Writes in the
/// caller's transaction.
class CommitLog {
  public:
    explicit CommitLog(SQLite::Database& database);

    /// The commits of which every tag that they touched is in the ledger. `path`: the folder of the
    /// repository that is loaded.
    std::set<Digest> complete(const std::string& path);

    /// The tags of the commit that are in the ledger.
    std::set<std::string> tags(const Digest& commit, const std::string& path);

    /// The commits that gave the snapshot of this name, by their ids, and its own id.
    std::map<Digest, std::int64_t> commits_of(const std::string& snapshot, const std::string& path);

    /// Records tags that a commit touched, with the snapshots that hold their pages.
    /// `tags_touched`: how many it touched, those on record before included.
    void add(const Digest& commit, const std::string& path,
             const std::map<std::string, std::int64_t>& snapshots, std::size_t tags_touched);

    /// What is on record of a snapshot, to be kept where another one takes its place.
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
