#include "reports/site/data/site_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/questions/diff/diff.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_in_list = 100;  // in one list

// The newest of each series first, so that none is left out for the sake of busier ones.
constexpr auto newest_of_each_series = R"(
    SELECT name, series, taken_at, specs
    FROM (
      SELECT name, series, taken_at, specs, row_number() OVER (PARTITION BY series ORDER BY taken_at DESC) AS number
      FROM snapshots)
    WHERE number <= ?1
    ORDER BY number > 1, taken_at DESC, name
    LIMIT (SELECT max(20, min(100, count(*))) FROM series))";

using Names = std::vector<std::string>;

// Adds "New packages: a, b" and what the entry is about. `names`: {what is said, package or stack}.
void say_list(FeedEntry& entry, std::string_view what, std::string_view scheme,
              const std::vector<std::pair<std::string, std::string>>& names) {
    if (names.empty()) {
        return;
    }
    Names said;
    for (const auto& [words, name] : names) {
        said.push_back(words);
        if (said.size() > most_in_list) {
            break;
        }
        entry.categories.emplace(scheme, name);
    }
    if (said.size() > most_in_list) {
        said.back() = fmt::format("and {} more", names.size() - most_in_list);
    }
    entry.paragraphs.push_back(fmt::format("{}: {}", what, fmt::join(said, ", ")));
}

// "hdf5 1.14.3 -> 2.0.0", of versions that took the place of others, and "gcc 15.1.0".
std::vector<std::pair<std::string, std::string>> new_versions(const Diff& diff) {
    std::vector<std::pair<std::string, std::string>> versions;
    const ResultTable pairs = version_pairs(diff);
    versions.reserve(pairs.rows.size());
    for (const auto& row : pairs.rows) {
        versions.emplace_back(
            fmt::format("{} {} -> {}", to_text(row[0]), to_text(row[1]), to_text(row[2])),
            to_text(row[0]));
    }
    if (const DiffSection* const section = section_of_versions(diff)) {
        for (const auto& row : without_pairs(*section, pairs).table.rows) {
            if (to_text(row[0]) == "version-added") {
                versions.emplace_back(fmt::format("{} {}", to_text(row[1]), to_text(row[2])),
                                      to_text(row[1]));
            }
        }
    }
    return versions;
}

void compare_with_before(FeedEntry& entry, const std::string& name, const Diff& diff) {
    for (const auto& [kind, what] :
         {std::pair("package-added", "New packages"), {"package-removed", "Packages gone"}}) {
        std::vector<std::pair<std::string, std::string>> packages;
        for (const auto& row : diff.rows_of("package-added").rows) {
            if (to_text(row[0]) == kind) {
                packages.emplace_back(to_text(row[1]), to_text(row[1]));
            }
        }
        say_list(entry, what, "package", packages);
    }
    const auto versions = new_versions(diff);
    say_list(entry, "New versions", "package", versions);
    std::vector<std::pair<std::string, std::string>> stacks;
    stacks.reserve(diff.by.rows.size());
    for (const auto& row : diff.by.rows) {
        stacks.emplace_back(fmt::format("{} +{} -{}", to_text(row[0]),
                                        integer(row[1]) + integer(row[row.size() - 2]),
                                        integer(row[2]) + integer(row[row.size() - 1])),
                            to_text(row[0]));
    }
    say_list(entry, "Builds that came to stacks and left them", "stack", stacks);
    entry.title =
        fmt::format("{}: {}, {} gone, {}; {} came, {} went", name,
                    counted(count_of(diff, "package-added"), "new package"),
                    count_of(diff, "package-removed"), counted(std::ssize(versions), "new version"),
                    counted(count_of(diff, "spec-added"), "build"), count_of(diff, "spec-removed"));
}

}  // namespace

Feed site_feed(SQLite::Database& database, const Catalog& catalog, std::string_view title,
               std::optional<std::size_t> last) {
    Feed feed{"site", std::string(title), {}, "index.html"};
    for (const auto& [name, series, taken_at, specs] :
         rows<std::string, std::string, std::string, std::int64_t>(
             database, newest_of_each_series,
             last.value_or(std::numeric_limits<std::int32_t>::max()))) {
        feed.entries.push_back({name,
                                fmt::format("{}: the first snapshot", name),
                                taken_at,
                                {fmt::format("It has {}.", counted(specs, "build"))},
                                {{"series", series}}});
    }
    for (FeedEntry& entry : feed.entries) {
        const std::string name = std::exchange(entry.key, feed.key + "\n" + entry.key);
        if (const auto before = snapshot_before(database, name)) {
            DiffScope scope;
            scope.by = "stack";
            scope.words = DiffWords::none;
            scope.kinds = {"package-added", "version-added"};
            compare_with_before(entry, name,
                                compare_snapshots(database, catalog, *before, name, {}, scope));
        }
    }
    return feed;
}

}  // namespace cacheledger
