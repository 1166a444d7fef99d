#include "ingest/runs/files/ingest.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <thread>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

bool is_taken(SQLite::Database& database, Moment moment) {
    return first_value<bool>(database, "SELECT 1 FROM snapshot WHERE taken_at = ?", moment)
        .has_value();
}

// Begins a transaction, and returns the moment of its snapshots: that of the user, else one at
// which the ledger has none. A run right after another one may fall into the same second, and waits
// for the next. Others may write while it waits.
Moment begin_at(std::optional<Moment> taken_at, SQLite::Database& database,
                std::optional<WriteTransaction>& transaction) {
    while (true) {
        transaction.emplace(database);
        const Moment moment = taken_at.value_or(now());
        if (taken_at || !is_taken(database, moment)) {
            return moment;
        }
        transaction.reset();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

// Gives the load all that the source has.
void load_all(Source& source, Load& load, const Progress& progress) {
    progress(0, source.size());
    source.begin(load);
    for (std::size_t done = 0; auto one = source.next();) {
        if (const auto* const graph = std::get_if<GraphInput>(&*one)) {
            load.take(*graph);
        } else if (auto& state = std::get<PageState>(*one); !load.take(state)) {
            load.take(source.read(std::move(state)));
        }
        progress(++done, source.size());
    }
}

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

IngestResult ingest(SQLite::Database& database, Source& source, const IngestOptions& options,
                    const Progress& progress) {
    if (const auto problem = options.tag ? tag_problem(*options.tag) : std::nullopt) {
        throw UsageError(fmt::format("--tag '{}': {}", *options.tag, *problem));
    }
    std::optional<WriteTransaction> transaction;
    std::optional<Writing> writing;
    const auto begin = [&] {
        writing.reset();
        transaction.reset();
        IngestOptions of_load = options;
        of_load.taken_at = begin_at(options.taken_at, database, transaction);
        return std::make_unique<Load>(writing.emplace(database), of_load);
    };
    const auto load = load_and_replace(begin, [&](Load& to_fill) {
        load_all(source, to_fill, progress);
        return true;
    });
    if (load->leaves_over()) {
        sweep(database);
    }
    IngestResult result = load->result();
    result.new_specs = writing->dictionary.specs.new_specs();
    result.new_nodes = writing->new_nodes();
    result.notes = source.notes();
    if (!load->has_changed()) {
        writing.reset();
        transaction.emplace(database);  // what was written is undone
    }
    judge_wishes(database);
    std::set<std::string> tags;
    for (const auto& [tag, snapshot_id] : result.snapshots) {
        tags.insert(tag);
    }
    record_check(*transaction, database, tags);
    transaction->commit();
    return result;
}

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
