#include "src/site/command/chosen_site_snapshots.hpp"

#include <optional>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "src/options/command_line/chosen_snapshots.hpp"

namespace cacheledger {

namespace {

/// A ledger that has no snapshot of pages or indexes has a site, too.
std::optional<std::string> choose_at(SQLite::Database& database, const ParsedOptions& parsed,
                                     std::vector<std::string>& notes) {
    if (!parsed.has("at") && newest_snapshots(database).empty()) {
        return std::nullopt;
    }
    return choose_snapshot(database, parsed.text("at"), notes).name;
}

/// The default of a pair can be missing; what the user asks for can't.
std::optional<SnapshotPair> choose_default_pair(SQLite::Database& database,
                                                const ParsedOptions& parsed,
                                                std::vector<std::string>& notes) {
    try {
        return parsed.has("at") ? pair_up_to(database, find_snapshot(database, *parsed.text("at")))
                                : choose_newest_pair(database, notes);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

}  // namespace

SiteSnapshots choose_site_snapshots(SQLite::Database& database, const ParsedOptions& parsed,
                                    std::vector<std::string>& notes) {
    SiteSnapshots chosen{choose_at(database, parsed, notes), {}, {}};
    std::optional<SnapshotPair> pair;
    if (parsed.has("from")) {
        const auto to = parsed.has("to") ? parsed.text("to") : chosen.at;
        pair = choose_pair(database, {*parsed.text("from"), to.value_or("latest")}, notes);
    } else if (parsed.has("to")) {
        pair = choose_pair(database, {*parsed.text("to")}, notes);
    } else {
        pair = choose_default_pair(database, parsed, notes);
    }
    if (pair) {
        chosen.from = pair->from.name;
        chosen.to = pair->to.name;
    }
    return chosen;
}

}  // namespace cacheledger
