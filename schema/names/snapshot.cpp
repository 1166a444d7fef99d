#include "schema/names/snapshot.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "schema/basics/error.hpp"
#include "schema/names/tag.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_suggestions = 5;

template <typename... Values>
std::vector<Snapshot> select(SQLite::Database& database, const std::string& condition,
                             const Values&... values) {
    SQLite::Statement query(
        database, "SELECT snapshot_id, series_id, taken_at, tag, name FROM snapshot " + condition);
    rebind(query, values...);
    std::vector<Snapshot> found;
    while (query.executeStep()) {
        found.push_back({query.getColumn(0).getInt64(), query.getColumn(1).getInt64(),
                         query.getColumn(2).getInt64(), query.getColumn(3).getString(),
                         query.getColumn(4).getString()});
    }
    return found;
}

std::string names_of(const std::vector<Snapshot>& snapshots) {
    std::vector<std::string> names;
    for (const Snapshot& snapshot : snapshots) {
        if (names.size() == most_suggestions) {
            names.push_back(fmt::format("... ({} in all)", snapshots.size()));
            break;
        }
        names.push_back(snapshot.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void refuse(SQLite::Database& database, std::string_view text) {
    const auto all = select(database, "ORDER BY taken_at DESC, name");
    if (all.empty()) {
        throw UsageError(fmt::format("no snapshot '{}': the ledger is empty", text));
    }
    if (text.substr(0, text.rfind('~')) == latest) {
        throw UsageError(
            fmt::format("no snapshot of pages or of an index yet: '{}' means the newest of those "
                        "(the ledger has: {})",
                        latest, names_of(all)));
    }
    throw UsageError(fmt::format("no snapshot '{}'; there are: {}", text, names_of(all)));
}

// One snapshot of pages or of indexes, or none if the ledger has none. What a lock file or an
// install database says is no state of a cache.
std::vector<Snapshot> newest_of_all(SQLite::Database& database) {
    return select(database,
                  "WHERE kind IN ('pages', 'index') "
                  "ORDER BY taken_at DESC, tag <> 'develop', name LIMIT 1");
}

std::vector<Snapshot> newest_of_tag(SQLite::Database& database, const std::string& tag) {
    return select(database, "WHERE tag = ? ORDER BY taken_at DESC LIMIT 1", tag);
}

// All snapshots that the part before "~" can mean, the best match first.
std::vector<Snapshot> candidates(SQLite::Database& database, const std::string& base) {
    if (base == latest) {
        auto found = newest_of_all(database);
        // Only older ledgers have such a tag (schema/names/tag.hpp).
        for (Snapshot& tagged : newest_of_tag(database, base)) {
            if (found.empty() || tagged.id != found.front().id) {
                found.push_back(std::move(tagged));
            }
        }
        return found;
    }
    if (auto exact = select(database, "WHERE name = ?", base); !exact.empty()) {
        return exact;
    }
    const std::size_t at = base.find('@');
    if (at == std::string::npos) {
        return newest_of_tag(database, base);
    }
    const std::string tag = base.substr(0, at);
    const std::string when = base.substr(at + 1);
    if (auto cut =
            select(database, "WHERE tag = ? AND substr(name, 1, length(?)) = ? ORDER BY name", tag,
                   base, base);
        !cut.empty()) {
        return cut;
    }
    const std::optional<Moment> moment = parse_moment(when);
    if (!moment) {
        return {};
    }
    return select(database, "WHERE (tag = ? AND taken_at = ?) OR name = ?", tag, *moment,
                  tag + "-" + when);
}

Snapshot earlier_in_series(SQLite::Database& database, const Snapshot& from, int steps,
                           std::string_view text) {
    if (steps == 0) {
        return from;
    }
    auto before = select(
        database, "WHERE series_id = ? AND taken_at < ? ORDER BY taken_at DESC LIMIT 1 OFFSET ?",
        from.series_id, from.taken_at, steps - 1);
    if (before.empty()) {
        const auto older =
            select(database, "WHERE series_id = ? AND taken_at < ?", from.series_id, from.taken_at);
        throw UsageError(fmt::format("no snapshot '{}': the ledger holds {} before {}", text,
                                     older.size(), from.name));
    }
    return before.front();
}

}  // namespace

Snapshot find_snapshot(SQLite::Database& database, std::string_view text) {
    std::string base(text);
    int steps = 0;
    if (const std::size_t tilde = text.rfind('~'); tilde != std::string_view::npos) {
        const std::string_view digits = text.substr(tilde + 1);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), steps);
        if (error != std::errc{} || end != digits.data() + digits.size() || steps < 0) {
            throw UsageError(fmt::format("snapshot '{}': expected a number behind '~'", text));
        }
        base = text.substr(0, tilde);
    }
    const auto found = candidates(database, base);
    if (found.empty()) {
        refuse(database, text);
    }
    if (found.size() > 1) {
        throw UsageError(fmt::format("'{}' can be any of: {}", text, names_of(found)));
    }
    return earlier_in_series(database, found.front(), steps, text);
}

Snapshot newest_snapshot(SQLite::Database& database) {
    const auto newest = newest_of_all(database);
    if (newest.empty()) {
        refuse(database, latest);
    }
    return newest.front();
}

std::optional<Snapshot> newest_lock(SQLite::Database& database) {
    const auto newest =
        select(database, "WHERE kind = 'lock' ORDER BY taken_at DESC, name LIMIT 1");
    return newest.empty() ? std::nullopt : std::optional(newest.front());
}

}  // namespace cacheledger
