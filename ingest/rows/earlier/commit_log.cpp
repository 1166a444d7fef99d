#include "ingest/rows/earlier/commit_log.hpp"

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

std::set<Digest> all_commits(SQLite::Statement& select) {
    std::set<Digest> commits;
    while (select.executeStep()) {
        commits.insert(bytes_column<Digest>(select, 0));
    }
    select.reset();
    return commits;
}

// Two columns, from `first` on.
CommitLog::Place place_columns(SQLite::Statement& select, int first) {
    return {select.getColumn(first).getInt64(), optional_text(select, first + 1)};
}

}  // namespace

CommitLog::CommitLog(SQLite::Database& database)
    : select_complete_(database,
                       "SELECT commit_id FROM commit_snapshot WHERE path = ? "
                       "GROUP BY commit_id HAVING count(*) >= max(tags_touched)"),
      select_with_tag_(database,
                       "SELECT commit_id FROM commit_snapshot WHERE path = ? AND tag = ?"),
      select_tags_(database, "SELECT tag FROM commit_snapshot WHERE commit_id = ? AND path = ?"),
      select_commits_(database,
                      "SELECT commit_id, snapshot_id, forgotten FROM commit_snapshot "
                      "JOIN snapshot USING (snapshot_id) "
                      "WHERE name = ?1 AND path = ?2 AND forgotten IS NULL UNION ALL "
                      "SELECT commit_id, snapshot_id, forgotten FROM commit_snapshot "
                      "WHERE forgotten = ?1 AND path = ?2"),
      select_rows_(database,
                   "SELECT commit_id, path, tag, tags_touched, forgotten "
                   "FROM commit_snapshot WHERE snapshot_id = ?"),
      select_place_(database,
                    "SELECT snapshot_id, forgotten FROM commit_snapshot "
                    "WHERE commit_id = ? AND path = ? AND tag = ?"),
      insert_(database,
              "INSERT OR REPLACE INTO commit_snapshot (commit_id, path, tag, snapshot_id, "
              "tags_touched, forgotten) VALUES (?, ?, ?, ?, ?, ?)"),
      hand_over_(database,
                 "UPDATE commit_snapshot SET snapshot_id = ?1, forgotten = ifnull(forgotten, "
                 "(SELECT name FROM snapshot WHERE snapshot_id = ?2)) WHERE snapshot_id = ?2"),
      hand_on_(database,
               "UPDATE commit_snapshot SET snapshot_id = ? WHERE snapshot_id = ? "
               "AND forgotten IS NOT NULL") {}

std::set<Digest> CommitLog::complete(const std::string& path) {
    rebind(select_complete_, path);
    return all_commits(select_complete_);
}

std::set<Digest> CommitLog::with_tag(const std::string& path, const std::string& tag) {
    rebind(select_with_tag_, path, tag);
    return all_commits(select_with_tag_);
}

std::set<std::string> CommitLog::tags(const Digest& commit, const std::string& path) {
    std::set<std::string> tags;
    rebind(select_tags_, commit, path);
    while (select_tags_.executeStep()) {
        tags.insert(select_tags_.getColumn(0).getString());
    }
    select_tags_.reset();
    return tags;
}

std::map<Digest, CommitLog::Place> CommitLog::commits_of(const std::string& snapshot,
                                                         const std::string& path) {
    std::map<Digest, Place> commits;
    rebind(select_commits_, snapshot, path);
    while (select_commits_.executeStep()) {
        commits.emplace(bytes_column<Digest>(select_commits_, 0),
                        place_columns(select_commits_, 1));
    }
    select_commits_.reset();
    return commits;
}

std::optional<CommitLog::Place> CommitLog::place_of(const Digest& commit, const std::string& path,
                                                    const std::string& tag) {
    rebind(select_place_, commit, path, tag);
    std::optional<Place> place;
    if (select_place_.executeStep()) {
        place = place_columns(select_place_, 0);
    }
    select_place_.reset();
    return place;
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
    std::vector<Row> rows;
    rebind(select_rows_, snapshot_id);
    while (select_rows_.executeStep()) {
        rows.push_back({bytes_column<Digest>(select_rows_, 0),
                        select_rows_.getColumn(1).getString(),
                        select_rows_.getColumn(2).getString(), select_rows_.getColumn(3).getInt64(),
                        optional_text(select_rows_, 4)});
    }
    select_rows_.reset();
    if (only_of) {
        std::erase_if(rows, [&](const Row& row) { return row.path != *only_of && !row.forgotten; });
    }
    return rows;
}

void CommitLog::restore(const std::vector<Row>& rows, std::int64_t snapshot_id) {
    for (const Row& row : rows) {
        write(row, snapshot_id);
    }
}

void CommitLog::hand_over(std::int64_t snapshot_id, std::int64_t other) {
    run(hand_over_, other, snapshot_id);
}

void CommitLog::hand_on(std::int64_t snapshot_id, std::int64_t other) {
    run(hand_on_, other, snapshot_id);
}

void CommitLog::write(const Row& row, std::int64_t snapshot_id) {
    run(insert_, row.commit_id, row.path, row.tag, snapshot_id, row.tags_touched, row.forgotten);
}

}  // namespace cacheledger
