#include "src/options/command_line/chosen_snapshots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

void note_on_latest(SQLite::Database& database, std::vector<std::string>& notes) {
    const auto newest = newest_snapshots(database);
    const bool is_of_cache = has_cache(database);
    if (newest.empty() || (newest.size() == 1 && is_of_cache)) {
        return;
    }
    auto note = fmt::format("latest is {}, of the series {}", newest.front().name,
                            series_of_tag(newest.front().tag));
    if (!is_of_cache) {
        note += ": the ledger has no pages and no index of a cache";
    }
    if (newest.size() > 1) {
        note +=
            fmt::format("; of the same moment: {}", names_of({newest.begin() + 1, newest.end()}));
    }
    if (std::ranges::find(notes, note) == notes.end()) {
        notes.push_back(std::move(note));
    }
}

/// When a run last looked at the series of the snapshot, if it is the newest of that.
std::optional<Moment> checked_at(SQLite::Database& database, const Snapshot& snapshot) {
    return first_value<std::optional<Moment>>(
               database,
               "SELECT checked_at FROM series r WHERE series_id = ?1 AND NOT EXISTS (SELECT 1 FROM "
               "snapshot s WHERE s.series_id = r.series_id AND s.taken_at > ?2)",
               snapshot.series_id, snapshot.taken_at)
        .value_or(std::nullopt);
}

/// A note if the user asks for a moment (develop@{1 week ago}, yesterday), and the snapshot that
/// was in force then is much older: by more than the moment is ago, but at least a day, or by more
/// than 30 days.
void note_on_moment(SQLite::Database& database, const std::string& text, const Snapshot& chosen,
                    std::vector<std::string>& notes) {
    constexpr Moment one_day = 86400;
    constexpr Moment most_days = 30;
    const auto open = text.find("@{");
    const bool is_alone = open == std::string::npos;  // "yesterday"
    if (is_alone ? text == chosen.tag : !text.ends_with('}')) {
        return;
    }
    const Moment as_of = now();
    const auto moment =
        parse_past(is_alone ? text : text.substr(open + 2, text.size() - open - 3), as_of);
    const Moment gap = moment.value_or(chosen.taken_at) - chosen.taken_at;
    if (gap <= std::clamp(as_of - moment.value_or(as_of), one_day, most_days * one_day)) {
        return;
    }
    const auto checked = checked_at(database, chosen);
    notes.push_back(fmt::format(
        "{} is {}, which is {} older than that moment{}", text, chosen.name,
        counted(gap / one_day, "day"),
        checked ? fmt::format("; ingest last checked its series at {}", format_moment(*checked))
                : ""));
}

/// What to compare. A newcomer who types the name of a package there is told of --package.
Snapshot choose_side(SQLite::Database& database, const std::string& word,
                     std::vector<std::string>& notes) {
    try {
        return choose_snapshot(database, word, notes);
    } catch (const UsageError&) {
        const auto packages = known_names(database, NameKind::package);
        if (std::ranges::find(packages, word) == packages.end()) {
            throw;
        }
        throw UsageError(
            fmt::format("no snapshot '{}': it is a package, which --package {} chooses", word,
                        shell_quoted(word)));
    }
}

}  // namespace

Snapshot choose_snapshot(SQLite::Database& database, const std::optional<std::string>& text,
                         std::vector<std::string>& notes) {
    Snapshot chosen = text ? find_snapshot(database, *text) : newest_snapshot(database);
    if (!text || text->substr(0, text->find('~')) == latest) {
        note_on_latest(database, notes);
    }
    if (text) {
        note_on_moment(database, *text, chosen, notes);
    }
    return chosen;
}

std::vector<Snapshot> choose_snapshots(SQLite::Database& database,
                                       const std::vector<std::string>& texts,
                                       std::vector<std::string>& notes) {
    if (texts.empty()) {
        return {choose_snapshot(database, std::nullopt, notes)};
    }
    std::vector<Snapshot> snapshots;
    for (const std::string& text : texts) {
        Snapshot one = choose_snapshot(database, text, notes);
        if (std::ranges::find(snapshots, one.id, &Snapshot::id) == snapshots.end()) {
            snapshots.push_back(std::move(one));
        }
    }
    return snapshots;
}

SnapshotPair choose_newest_pair(SQLite::Database& database, std::vector<std::string>& notes) {
    SnapshotPair pair = newest_pair(database);
    const Snapshot newest = newest_snapshot(database);
    if (pair.to.id == newest.id) {
        note_on_latest(database, notes);
    } else {
        notes.push_back(
            fmt::format("{} has no snapshot before it; compared is the newest series that has two, "
                        "{}: {} -> {}",
                        newest.name, series_of_tag(pair.to.tag), pair.from.name, pair.to.name));
    }
    return pair;
}

SnapshotPair choose_pair(SQLite::Database& database, const std::vector<std::string>& words,
                         std::vector<std::string>& notes) {
    if (words.empty()) {
        return choose_newest_pair(database, notes);
    }
    const Snapshot first = choose_side(database, words[0], notes);
    if (words.size() == 1) {
        return pair_up_to(database, first);
    }
    SnapshotPair pair{first, choose_side(database, words[1], notes)};
    if (pair.from.id == pair.to.id) {
        notes.push_back(fmt::format("both names mean one snapshot, {}", pair.from.name));
    }
    return pair;
}

}  // namespace cacheledger
