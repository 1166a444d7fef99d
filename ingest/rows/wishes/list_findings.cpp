#include "ingest/rows/wishes/list_findings.hpp"

#include <map>
#include <optional>
#include <set>

#include "ingest/rows/wishes/state_change.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

// The rows of one file, by the text of the finding.
struct ListFindings::Rows {
    ListFindings& all;
    const std::string& path;
    const std::map<std::string, std::int64_t>& lines;
    Moment moment;

    void insert(const std::string& detail) {
        run(all.insert_, all.repository_id_, path, detail, lines.at(detail), moment);
    }
    void end(const std::string& detail, Moment from) {
        run(all.end_, std::optional(moment), all.repository_id_, path, detail, from);
    }
    void reopen(const std::string& detail, Moment from) {
        run(all.end_, std::optional<Moment>(), all.repository_id_, path, detail, from);
    }
    void remove(const std::string& detail, Moment from) {
        run(all.remove_, all.repository_id_, path, detail, from);
    }
};

ListFindings::ListFindings(SQLite::Database& database, std::int64_t repository_id)
    : repository_id_(repository_id),
      select_(database,
              "SELECT detail, line, valid_from, valid_to FROM wish_finding "
              "WHERE package_repository_id = ? AND path = ? "
              "AND (valid_to IS NULL OR valid_to = ?)"),
      insert_(database,
              "INSERT INTO wish_finding (package_repository_id, path, detail, line, valid_from) "
              "VALUES (?, ?, ?, ?, ?)"),
      end_(database,
           "UPDATE wish_finding SET valid_to = ? "
           "WHERE package_repository_id = ? AND path = ? AND detail = ? AND valid_from = ?"),
      remove_(database,
              "DELETE FROM wish_finding "
              "WHERE package_repository_id = ? AND path = ? AND detail = ? AND valid_from = ?") {}

void ListFindings::set(const std::string& path, const std::vector<WishFinding>& findings,
                       Moment moment) {
    std::map<std::string, std::int64_t> lines;
    std::set<std::string> wanted;
    for (const WishFinding& finding : findings) {
        lines.emplace(finding.detail, static_cast<std::int64_t>(finding.line));
        wanted.insert(finding.detail);
    }
    IntervalsAt<std::string> at;
    rebind(select_, repository_id_, path, moment);
    while (select_.executeStep()) {
        auto& intervals = select_.isColumnNull(3) ? at.open : at.ended;
        intervals[select_.getColumn(0).getString()] = select_.getColumn(2).getInt64();
    }
    select_.reset();
    Rows rows{*this, path, lines, moment};
    change_state(at, wanted, moment, rows);
}

std::vector<WishFinding> ListFindings::current(const std::string& path) {
    std::vector<WishFinding> findings;
    rebind(select_, repository_id_, path, std::optional<Moment>());
    while (select_.executeStep()) {
        findings.push_back({static_cast<std::size_t>(select_.getColumn(1).getInt64()),
                            select_.getColumn(0).getString()});
    }
    select_.reset();
    return findings;
}

}  // namespace cacheledger
