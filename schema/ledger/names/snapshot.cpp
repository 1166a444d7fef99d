#include "schema/ledger/names/snapshot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <regex>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

namespace {

// What a snapshot of a cache is made from. A lock file or an install database is no state of a
// cache.
constexpr const char* of_caches = "kind IN ('pages', 'index')";

// What `latest` names one of: snapshots of caches, or all if the ledger has none of a cache.
constexpr const char* of_latest =
    "(kind IN ('pages', 'index') OR NOT EXISTS (SELECT 1 FROM snapshot WHERE kind IN ('pages', "
    "'index')))";

// Which of several snapshots is the newest.
constexpr const char* newest_first = "taken_at DESC, tag <> 'develop', name";

using Snapshots = std::vector<Snapshot>;

/// What the user typed: "develop@{1 week ago}~2".
struct Name {
    std::string text;
    std::string base;   // without "~2"
    std::string steps;  // "~2", or empty
};

[[noreturn]] void refuse(SQLite::Database& database, const Name& name) {
    const auto all = select_snapshots(database, "ORDER BY taken_at DESC, name");
    if (all.empty()) {
        throw UsageError(fmt::format("no snapshot '{}': the ledger is empty; how to fill it: {}",
                                     name.text, command_hint({"help", "sources"})));
    }
    auto near = suggest_snapshots(database, name.base);
    for (std::string& one : near) {
        one += name.steps;
    }
    throw UsageError(near.empty()
                         ? fmt::format("no snapshot '{}'; there are: {}", name.text, names_of(all))
                         : fmt::format("no snapshot '{}'; did you mean '{}'?", name.text,
                                       fmt::join(near, "', '")));
}

// One snapshot, or none.
Snapshots newest_of_all(SQLite::Database& database, Moment at_or_before = last_moment) {
    return select_snapshots(
        database,
        fmt::format("WHERE {} AND taken_at <= ? ORDER BY {} LIMIT 1", of_latest, newest_first),
        at_or_before);
}

Snapshots newest_of_tag(SQLite::Database& database, const std::string& tag) {
    return select_snapshots(database, "WHERE tag = ? ORDER BY taken_at DESC LIMIT 1", tag);
}

Snapshots newest_of_series(SQLite::Database& database, const std::string& series,
                           Moment at_or_before = last_moment) {
    return select_snapshots(database,
                            "WHERE series_id = (SELECT series_id FROM series WHERE name = ?) AND "
                            "taken_at <= ? ORDER BY "
                            "taken_at DESC LIMIT 1",
                            series, at_or_before);
}

// The snapshot that was the newest at a moment. `of`: what stands before the braces.
Snapshots in_force(SQLite::Database& database, const std::string& of, Moment moment) {
    const bool is_latest = of.empty() || of == latest;
    const auto newest = [&](Moment at_or_before) {
        if (is_latest) {
            return newest_of_all(database, at_or_before);
        }
        auto found = newest_of_series(database, of, at_or_before);
        return !found.empty() || !newest_of_series(database, of).empty()
                   ? found
                   : newest_of_series(database, of + "-*", at_or_before);
    };
    auto found = newest(moment);
    if (const auto any = newest(last_moment); found.empty() && !any.empty()) {
        const auto oldest = select_snapshots(
            database,
            fmt::format("WHERE {} ORDER BY taken_at, name LIMIT 1",
                        is_latest ? of_latest : fmt::format("series_id = {}", any[0].series_id)));
        throw UsageError(fmt::format("no snapshot at or before {}: the oldest of {} is {}",
                                     format_moment(moment), is_latest ? latest : of,
                                     oldest.at(0).name));
    }
    return found;
}

// The dated tags that begin with this text, which ends in a month or a year.
Snapshots of_period(SQLite::Database& database, const std::string& text) {
    static const std::regex period(R"(-\d{4}(-\d\d)?$)");
    std::smatch found;
    if (!std::regex_search(text, found, period)) {
        return {};
    }
    return select_snapshots(database,
                            "WHERE series_id = (SELECT series_id FROM series WHERE name = ?) AND "
                            "substr(name, 1, length(?)) = ? ORDER BY name",
                            text.substr(0, static_cast<std::size_t>(found.position())) + "-*",
                            text + "-", text + "-");
}

// A tag and a moment, which may be cut: the matches for "develop" and "2025-03-30".
Snapshots at_moment(SQLite::Database& database, const std::string& tag, const std::string& when) {
    const std::string name = tag + "@" + when;
    if (auto cut = select_snapshots(
            database, "WHERE tag = ? AND substr(name, 1, length(?)) = ? ORDER BY name", tag, name,
            name);
        !cut.empty()) {
        return cut;
    }
    const std::string dated = tag + "-" + when;
    const std::optional<Moment> moment = parse_moment(when);
    return moment ? select_snapshots(database, "WHERE (tag = ? AND taken_at = ?) OR name = ?", tag,
                                     *moment, dated)
                  : of_period(database, dated);
}

Snapshots newest_or_tagged_latest(SQLite::Database& database) {
    auto found = newest_of_all(database);
    // Only a ledger that another program wrote has such a tag (schema/ledger/names/tag.hpp).
    for (Snapshot& tagged : newest_of_tag(database, std::string(latest))) {
        if (found.empty() || tagged.id != found.front().id) {
            found.push_back(std::move(tagged));
        }
    }
    return found;
}

// All snapshots that the part before "~" can mean, the best match first.
Snapshots candidates(SQLite::Database& database, const Name& name, Moment as_of) {
    const std::string& base = name.base;
    if (base == latest) {
        return newest_or_tagged_latest(database);
    }
    if (auto exact = select_snapshots(database, "WHERE name = ?", base); !exact.empty()) {
        return exact;
    }
    const std::size_t at = base.find('@');
    if (at != std::string::npos && base.substr(at + 1).starts_with('{') && base.ends_with('}')) {
        const auto moment = parse_past(base.substr(at + 2, base.size() - at - 3), as_of);
        if (!moment) {
            throw UsageError(fmt::format(
                "snapshot '{}': expected a moment between the braces, such as 2024-01-31, "
                "2024-01-31T06:00, yesterday or 2 weeks ago",
                name.text));
        }
        return in_force(database, base.substr(0, at), *moment);
    }
    if (at != std::string::npos) {
        return at_moment(database, base.substr(0, at), base.substr(at + 1));
    }
    if (auto newest = newest_of_tag(database, base); !newest.empty()) {
        return newest;
    }
    if (auto newest = newest_of_series(database, base); !newest.empty()) {
        return newest;
    }
    if (const auto moment = parse_past(base, as_of)) {
        return in_force(database, std::string(latest), *moment);
    }
    return of_period(database, base);
}

Snapshot earlier_in_series(SQLite::Database& database, const Snapshot& from, int steps,
                           std::string_view text) {
    if (steps == 0) {
        return from;
    }
    auto before = select_snapshots(
        database, "WHERE series_id = ? AND taken_at < ? ORDER BY taken_at DESC LIMIT 1 OFFSET ?",
        from.series_id, from.taken_at, steps - 1);
    if (before.empty()) {
        const auto older = select_snapshots(database, "WHERE series_id = ? AND taken_at < ?",
                                            from.series_id, from.taken_at);
        throw UsageError(fmt::format("no snapshot '{}': the ledger holds {} before {}", text,
                                     older.size(), from.name));
    }
    return before.front();
}

constexpr std::size_t most_names = 5;

}  // namespace

Snapshot find_snapshot(SQLite::Database& database, std::string_view text, Moment as_of) {
    Name name{std::string(text), std::string(text), ""};
    int steps = 0;
    if (const std::size_t tilde = text.rfind('~'); tilde != std::string_view::npos) {
        if (auto exact = select_snapshots(database, "WHERE name = ?", name.text); !exact.empty()) {
            return exact.front();  // that of a file
        }
        const std::string_view digits = text.substr(tilde + 1);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), steps);
        if (error != std::errc{} || end != digits.data() + digits.size() || steps < 0) {
            throw UsageError(fmt::format("snapshot '{}': expected a number behind '~'", text));
        }
        name.base = text.substr(0, tilde);
        name.steps = text.substr(tilde);
    }
    const auto found = candidates(database, name, as_of);
    if (found.empty()) {
        refuse(database, name);
    }
    if (found.size() > 1) {
        throw UsageError(fmt::format("'{}' can be any of: {}", text, names_of(found)));
    }
    return earlier_in_series(database, found.front(), steps, text);
}

Snapshot newest_snapshot(SQLite::Database& database) {
    const auto newest = newest_of_all(database);
    if (newest.empty()) {
        refuse(database, {std::string(latest), std::string(latest), ""});
    }
    return newest.front();
}

bool has_cache(SQLite::Database& database) {
    return !select_snapshots(database, fmt::format("WHERE {} LIMIT 1", of_caches)).empty();
}

std::vector<Snapshot> newest_snapshots(SQLite::Database& database) {
    return select_snapshots(
        database,
        fmt::format("WHERE {0} AND taken_at = (SELECT max(taken_at) FROM snapshot WHERE {0}) "
                    "ORDER BY {1}",
                    of_latest, newest_first));
}

std::optional<Snapshot> newest_lock(SQLite::Database& database) {
    const auto newest =
        select_snapshots(database, "WHERE kind = 'lock' ORDER BY taken_at DESC, name LIMIT 1");
    return newest.empty() ? std::nullopt : std::optional(newest.front());
}

SnapshotPair newest_pair(SQLite::Database& database) {
    const Snapshot newest = newest_snapshot(database);  // throws if there is none
    const auto later = select_snapshots(
        database,
        fmt::format("WHERE {} AND EXISTS (SELECT 1 FROM snapshot before WHERE before.series_id = "
                    "snapshot.series_id AND before.taken_at < snapshot.taken_at) "
                    "ORDER BY {} LIMIT 1",
                    of_latest, newest_first));
    if (later.empty()) {
        throw UsageError(fmt::format(
            "no series has two snapshots to compare (the newest is {}); name two; to see all: {}",
            newest.name, command_hint({"snapshots"})));
    }
    return pair_up_to(database, later.front());
}

SnapshotPair pair_up_to(SQLite::Database& database, const Snapshot& to) {
    const auto before = select_snapshots(
        database, "WHERE series_id = ? AND taken_at < ? ORDER BY taken_at DESC LIMIT 1",
        to.series_id, to.taken_at);
    if (before.empty()) {
        throw UsageError(fmt::format(
            "{} is the oldest of its series: name the snapshot to compare it with", to.name));
    }
    return {before.front(), to};
}

std::string names_of(const std::vector<Snapshot>& snapshots) {
    std::vector<std::string> names;
    for (const Snapshot& snapshot : snapshots) {
        if (names.size() == most_names) {
            names.push_back(fmt::format("... ({} in all)", snapshots.size()));
            break;
        }
        names.push_back(snapshot.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace cacheledger
