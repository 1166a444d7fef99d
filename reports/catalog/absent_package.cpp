#include "reports/catalog/absent_package.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "schema/names/nearest.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

using Names = std::vector<std::string>;

/// The packages like a pattern of which a snapshot has builds.
constexpr auto packages_of_snapshot =
    "SELECT k.name FROM snapshot s CROSS JOIN package k WHERE s.name = ? AND k.name GLOB ? AND "
    "EXISTS (SELECT 1 FROM presence p WHERE p.series_id = s.series_id AND p.package_id = "
    "k.package_id AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > "
    "s.taken_at))";

constexpr auto known_packages = "SELECT name FROM package WHERE name GLOB ? LIMIT 1";

/// The series with snapshots that have builds of packages like a pattern.
constexpr auto series_of_package =
    "SELECT r.name FROM series r WHERE EXISTS (SELECT 1 FROM package k CROSS JOIN presence p ON "
    "p.series_id = r.series_id AND p.package_id = k.package_id WHERE k.name GLOB ?) ORDER BY "
    "r.name";

template <typename... Values>
Names read_names(const SQLite::Database& database, const std::string& sql,
                 const Values&... values) {
    SQLite::Statement select(database, sql);
    rebind(select, values...);
    Names names;
    while (select.executeStep()) {
        names.push_back(select.getColumn(0).getString());
    }
    return names;
}

std::string who_lacks(const Names& snapshots) {
    return snapshots.size() == 1
               ? fmt::format("{} has no build", snapshots.front())
               : fmt::format("neither {} has a build", fmt::join(snapshots, " nor "));
}

Names packages_near(const SQLite::Database& database, const Names& snapshots,
                    const std::string& package) {
    Names names;
    for (const std::string& snapshot : snapshots) {
        std::ranges::move(read_names(database, packages_of_snapshot, snapshot, std::string("*")),
                          std::back_inserter(names));
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return nearest_names(package, names);
}

}  // namespace

std::optional<std::string> note_on_absent_package(SQLite::Database& database,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::string& package) {
    if (snapshots.empty() || read_names(database, known_packages, package).empty() ||
        std::ranges::any_of(snapshots, [&](const std::string& snapshot) {
            return !read_names(database, std::string(packages_of_snapshot) + " LIMIT 1", snapshot,
                               package)
                        .empty();
        })) {
        return std::nullopt;
    }
    std::string note = fmt::format("{} of {} at all", who_lacks(snapshots), package);
    if (const Names near = packages_near(database, snapshots, package); !near.empty()) {
        note += fmt::format("; near are: {}", fmt::join(near, ", "));
    }
    const Names series = read_names(database, series_of_package, package);
    if (series.empty()) {
        return note + "; it is in no snapshot: other specs only depend on it";
    }
    note += fmt::format("; other snapshots of these series have: {}", fmt::join(series, ", "));
    const bool is_name = package.find_first_of("*?[") == std::string::npos;
    return note + (is_name ? fmt::format(" ('history {}' tells when)", package) : "");
}

std::vector<std::string> notes_on_absent_packages(SQLite::Database& database,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::vector<std::string>& packages) {
    std::vector<std::string> notes;
    for (const std::string& package : packages) {
        if (auto note = note_on_absent_package(database, snapshots, package)) {
            notes.push_back(std::move(*note));
        }
    }
    return notes;
}

}  // namespace cacheledger
