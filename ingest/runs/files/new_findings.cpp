#include "ingest/runs/files/new_findings.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <string_view>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// The ids of replaced snapshots and of their findings are given again, so a finding is known by
// what it says, and by where.
constexpr const char* watch = R"(
CREATE TEMP TABLE new_finding (
  page_id INTEGER, snapshot TEXT, package_id INTEGER, path TEXT, kind TEXT, detail TEXT, times INTEGER);
CREATE TEMP TRIGGER finding_came AFTER INSERT ON main.finding BEGIN
  INSERT INTO new_finding VALUES (
    new.page_id, (SELECT name FROM snapshot WHERE snapshot_id = new.snapshot_id), new.package_id, new.path,
    new.kind, new.detail, 1);
END;
CREATE TEMP TRIGGER finding_went BEFORE DELETE ON main.finding BEGIN
  INSERT INTO new_finding VALUES (
    old.page_id, (SELECT name FROM snapshot WHERE snapshot_id = old.snapshot_id), old.package_id, old.path,
    old.kind, old.detail, -1);
END;
)";

constexpr const char* count = R"(
SELECT kind, sum(times) FROM (
  SELECT kind, sum(times) AS times FROM temp.new_finding
  GROUP BY page_id, snapshot, package_id, path, kind, detail
  HAVING sum(times) > 0)
GROUP BY kind
ORDER BY 2 DESC, 1
)";

constexpr const char* before_empty = R"(
SELECT p.name, p.specs
FROM snapshot s
JOIN snapshot p ON p.series_id = s.series_id AND p.taken_at < s.taken_at
WHERE s.name = ? AND s.specs = 0
ORDER BY p.taken_at DESC LIMIT 1
)";

}  // namespace

NewFindings::NewFindings(SQLite::Database& database) : database_(database) {
    database.exec(watch);
}

NewFindings::~NewFindings() {
    sqlite3_exec(database_.getHandle(),
                 "DROP TRIGGER IF EXISTS temp.finding_came; DROP TRIGGER IF EXISTS "
                 "temp.finding_went; DROP TABLE IF EXISTS temp.new_finding",
                 nullptr, nullptr, nullptr);
}

std::vector<std::pair<std::string, std::int64_t>> NewFindings::counts() const {
    return rows<std::string, std::int64_t>(database_, count)
        .to<std::vector<std::pair<std::string, std::int64_t>>>();
}

std::vector<std::string> notes_on_empty_snapshots(SQLite::Database& database,
                                                  const std::vector<std::string>& names) {
    std::vector<std::string> notes;
    for (const std::string& name : names) {
        for (const auto& [before, specs] :
             rows<std::string_view, std::int64_t>(database, before_empty, name)) {
            if (specs > 0) {
                notes.push_back(fmt::format("{} has no specs; the snapshot before it, {}, has {}",
                                            name, before, specs));
            }
        }
    }
    return notes;
}

}  // namespace cacheledger
