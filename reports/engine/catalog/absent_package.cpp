#include "reports/engine/catalog/absent_package.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "reports/engine/server/connection.hpp"
#include "reports/render/table/value.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

using Names = std::vector<std::string>;

/// Packages like a pattern; `limit`: what ends the statement.
std::string known_packages(const std::string& pattern, const char* limit) {
    return fmt::format("SELECT name FROM package WHERE glob({}, name){}", quoted_text(pattern),
                       limit);
}

/// Those of which a snapshot has builds.
std::string packages_of(const std::string& snapshot, const std::string& pattern,
                        const char* limit) {
    return fmt::format(
        "SELECT k.name FROM snapshot s CROSS JOIN package k WHERE s.name = {} AND glob({}, k.name) "
        "AND EXISTS (SELECT 1 FROM presence p WHERE p.series_id = s.series_id AND p.package_id = "
        "k.package_id AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > "
        "s.taken_at)){}",
        quoted_text(snapshot), quoted_text(pattern), limit);
}

/// The series with snapshots that have builds of such packages, the one with the newest snapshot
/// first.
std::string series_of(const std::string& pattern) {
    return fmt::format(
        "SELECT r.name FROM series r WHERE EXISTS (SELECT 1 FROM package k JOIN presence p ON "
        "p.series_id = r.series_id AND p.package_id = k.package_id WHERE glob({}, k.name)) ORDER "
        "BY (SELECT max(s.taken_at) FROM snapshot s WHERE s.series_id = r.series_id) DESC, r.name",
        quoted_text(pattern));
}

/// That of a snapshot.
std::string series_of_snapshot(const std::string& snapshot) {
    return fmt::format(
        "SELECT r.name FROM snapshot s JOIN series r ON r.series_id = s.series_id WHERE s.name = "
        "{}",
        quoted_text(snapshot));
}

/// Those of builds that are not external, or of which nobody knows.
std::string not_external(const std::string& which) {
    return fmt::format(
        "SELECT k.name FROM package k JOIN look l ON l.package_id = k.package_id JOIN spec x ON "
        "x.look_id = l.look_id LEFT JOIN node n ON n.spec_id = x.spec_id LEFT JOIN recipe r ON "
        "r.recipe_id = n.recipe_id WHERE {} AND coalesce(r.external, 0) = 0 LIMIT 1",
        which);
}

std::string who_lacks(const Names& snapshots) {
    return snapshots.size() == 1
               ? fmt::format("{} has no build", snapshots.front())
               : fmt::format("neither {} has a build", fmt::join(snapshots, " nor "));
}

/// Of series that have a package, what to say where these snapshots lack it.
std::string which_have_it(const AskNames& ask, const Names& snapshots, const Names& series) {
    constexpr std::size_t most_series = 5;
    Names own;
    for (const std::string& snapshot : snapshots) {
        std::ranges::move(ask(series_of_snapshot(snapshot)), std::back_inserter(own));
    }
    Names of_own;
    Names others;
    for (const std::string& one : series) {
        (std::ranges::find(own, one) == own.end() ? others : of_own).push_back(one);
    }
    const std::string rest = listed(others, most_series);
    if (of_own.empty()) {
        return fmt::format("snapshots of other series have it: {}", rest);
    }
    return fmt::format("other snapshots of {} have it{}", listed(of_own, most_series),
                       others.empty() ? "" : ", and so have some of other series: " + rest);
}

Names packages_near(const AskNames& ask, const Names& snapshots, const std::string& package) {
    Names names;
    for (const std::string& snapshot : snapshots) {
        std::ranges::move(ask(packages_of(snapshot, "*", "")), std::back_inserter(names));
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return nearest_names(package, names);
}

}  // namespace

AskNames ask_names_of(SQLite::Database& database) {
    return [&database](const std::string& sql) { return all_values<std::string>(database, sql); };
}

std::string why_in_no_snapshot(const AskNames& ask, const std::string& which) {
    return ask(not_external(which)).empty() ? "it is external" : "other builds only depend on it";
}

std::optional<std::string> note_on_absent_package(const AskNames& ask,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::string& package) {
    constexpr const char* one = " LIMIT 1";
    if (snapshots.empty() || ask(known_packages(package, one)).empty() ||
        std::ranges::any_of(snapshots, [&](const std::string& snapshot) {
            return !ask(packages_of(snapshot, package, one)).empty();
        })) {
        return std::nullopt;
    }
    std::string note = fmt::format("{} of {} at all", who_lacks(snapshots), package);
    if (const Names near = packages_near(ask, snapshots, package); !near.empty()) {
        note += fmt::format("; near are: {}", fmt::join(near, ", "));
    }
    const Names series = ask(series_of(package));
    if (series.empty()) {
        const std::string of_package = fmt::format("glob({}, k.name)", quoted_text(package));
        return fmt::format("{}; it is in no snapshot: {}", note,
                           why_in_no_snapshot(ask, of_package));
    }
    note += "; " + which_have_it(ask, snapshots, series);
    const bool is_name = package.find_first_of("*?[") == std::string::npos;
    return note + (is_name ? fmt::format(" ('history {}' tells when)", package) : "");
}

std::vector<std::string> notes_on_absent_packages(const AskNames& ask,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::vector<std::string>& packages) {
    std::vector<std::string> notes;
    for (const std::string& package : packages) {
        if (auto note = note_on_absent_package(ask, snapshots, package)) {
            notes.push_back(std::move(*note));
        }
    }
    return notes;
}

}  // namespace cacheledger
