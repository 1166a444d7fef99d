#include "ingest/rows/snapshots/snapshot_files.hpp"

#include <tuple>

#include "ingest/rows/earlier/earlier.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// To be raised when more of a file is read, or otherwise, than before: files are then read again.
constexpr int newest_rules = 3;

}  // namespace

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
