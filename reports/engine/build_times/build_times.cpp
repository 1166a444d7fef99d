#include "reports/engine/build_times/build_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

/// A unit of time, and the one below it.
struct TimeUnit {
    std::int64_t seconds;
    const char* name;
    std::int64_t small_seconds;
    const char* small_name;
};
constexpr std::array<TimeUnit, 3> time_units = {
    {{86400, "d", 3600, "h"}, {3600, "h", 60, "min"}, {60, "min", 1, "s"}}};

std::int64_t median_time(std::vector<std::int64_t>& values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string version_key(std::string_view package, std::string_view version) {
    return fmt::format("{}@{}", package, version);
}

}  // namespace

std::string text_of(const BuildCost& cost) {
    if (cost.known == 0) {
        return "not known";
    }
    std::vector<std::string> parts;
    if (cost.known < cost.builds) {
        parts.push_back(
            fmt::format("{} of {} times known", grouped(cost.known), grouped(cost.builds)));
    }
    if (cost.by_version > 0) {
        parts.push_back(fmt::format("{}{} by version", grouped(cost.by_version),
                                    parts.empty() ? "" : " of them"));
    }
    const std::string took = duration_text(cost.milliseconds);
    return parts.empty() ? took : fmt::format("{} ({})", took, fmt::join(parts, ", "));
}

std::vector<DocumentField> fields_of_cost(const BuildCost& cost) {
    std::vector<DocumentField> fields = {{"build_seconds", Value()},
                                         {"builds_timed", cost.known},
                                         {"builds_timed_by_version", cost.by_version}};
    if (cost.known > 0) {
        fields.front().value = Value(seconds_of(cost.milliseconds));
    }
    return fields;
}

std::string duration_text(std::int64_t milliseconds) {
    const std::int64_t seconds = (milliseconds + 500) / 1000;
    for (const TimeUnit& unit : time_units) {
        // A day is counted in hours until there are two.
        if (seconds < (unit.seconds == 86400 ? 2 : 1) * unit.seconds) {
            continue;
        }
        const std::int64_t small = (seconds + unit.small_seconds / 2) / unit.small_seconds;
        const std::int64_t of_large = unit.seconds / unit.small_seconds;
        const std::string large = fmt::format("{} {}", grouped(small / of_large), unit.name);
        return small % of_large == 0
                   ? large
                   : fmt::format("{} {} {}", large, small % of_large, unit.small_name);
    }
    return fmt::format("{:.1f} s", seconds_of(milliseconds));
}

BuildTimes::BuildTimes(const SQLite::Database& database) {
    std::unordered_map<std::string, std::vector<std::int64_t>> of_version;
    for (const auto& [build, package, version, milliseconds] :
         rows<std::string, std::optional<std::string>, std::optional<std::string>, std::int64_t>(
             database,
             "SELECT b.build, ifnull(k.name, b.package), ifnull(v.version, b.version), "
             "b.milliseconds FROM build_time b LEFT JOIN spec s ON s.hash = b.build LEFT JOIN look "
             "o USING (look_id) LEFT JOIN package k USING (package_id) LEFT JOIN version v USING "
             "(version_id) ORDER BY b.build, s.spec_id")) {
        if (build.find('@') != std::string::npos) {
            by_version_.emplace(build, milliseconds);
        } else if (by_hash_.emplace(build, milliseconds).second && package && version) {
            of_version[version_key(*package, *version)].push_back(milliseconds);
        }
    }
    for (auto& [key, times] : of_version) {
        by_version_.emplace(key,
                            median_time(times));  // where nothing is said of the version itself
    }
}

std::optional<BuildTimes::Time> BuildTimes::find(const std::string& hash,
                                                 const std::string& package,
                                                 const std::optional<std::string>& version,
                                                 const std::optional<std::string>& built) const {
    for (const std::string& one : {hash, built.value_or(hash)}) {
        if (const auto found = by_hash_.find(one); found != by_hash_.end()) {
            return Time{found->second, false};
        }
    }
    if (version) {
        const auto found = by_version_.find(version_key(package, *version));
        if (found != by_version_.end()) {
            return Time{found->second, true};
        }
    }
    return std::nullopt;
}

void add_build(BuildCost& cost, const std::optional<BuildTimes::Time>& time) {
    ++cost.builds;
    if (time) {
        ++cost.known;
        cost.by_version += time->is_by_version ? 1 : 0;
        cost.milliseconds += time->milliseconds;
    }
}

std::optional<BuildCost> cost_of_specs(const SQLite::Database& database,
                                       const std::vector<std::int64_t>& specs) {
    const BuildTimes times(database);
    if (times.empty()) {
        return std::nullopt;
    }
    const Select<std::string, std::string, std::optional<std::string>, bool,
                 std::optional<std::string>>
        select(
            database,
            "SELECT s.hash, k.name, v.version, ifnull(r.external, 0), n.build_hash FROM spec s "
            "JOIN look USING (look_id) JOIN package k USING (package_id) LEFT JOIN version v USING "
            "(version_id) LEFT JOIN node n USING (spec_id) LEFT JOIN recipe r USING (recipe_id) "
            "WHERE s.spec_id = ?");
    BuildCost cost;
    for (const std::int64_t spec : specs) {
        const auto [hash, package, version, is_external, built] = select(spec).only();
        add_build(cost, is_external ? std::nullopt : times.find(hash, package, version, built));
    }
    return cost;
}

}  // namespace cacheledger
