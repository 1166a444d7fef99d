#include "src/options/command_line/chosen_snapshots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/engine/catalog/known_names.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/snapshot_rows.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

namespace {

void note_on_latest(SQLite::Database& database, std::vector<std::string>& notes) {
    const auto newest = newest_snapshots(database);
    if (newest.size() < 2) {
        return;
    }
    auto note = fmt::format("latest is {}, of the series {}; of the same moment: {}",
                            newest.front().name, series_of_tag(newest.front().tag),
                            names_of({newest.begin() + 1, newest.end()}));
    if (std::ranges::find(notes, note) == notes.end()) {
        notes.push_back(std::move(note));
    }
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
    return chosen;
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
    return words.size() == 1 ? pair_up_to(database, first)
                             : SnapshotPair{first, choose_side(database, words[1], notes)};
}

}  // namespace cacheledger
