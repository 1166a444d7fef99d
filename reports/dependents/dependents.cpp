#include "reports/dependents/dependents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "reports/catalog/known_names.hpp"
#include "reports/run/run_report.hpp"
#include "schema/basics/error.hpp"
#include "schema/basics/hint.hpp"
#include "schema/names/snapshot.hpp"
#include "schema/search/matching_specs.hpp"
#include "schema/spec_query/asked_spec.hpp"
#include "schema/spelling/dag_hash.hpp"

namespace cacheledger {

namespace {

using Counts = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;  // direct, all

void count(Counts& counts, const std::string& name, bool is_direct) {
    auto& [direct, all] = counts[name];
    direct += is_direct ? 1 : 0;
    ++all;
}

/// The counts as rows, the most first.
ResultTable to_table(const char* name, const Counts& counts) {
    ResultTable table{{name, "direct", "all"}, {}};
    for (const auto& [key, number] : counts) {
        table.rows.push_back({key, number.first, number.second});
    }
    std::ranges::stable_sort(table.rows, [](const auto& a, const auto& b) {
        return std::get<std::int64_t>(a[2]) > std::get<std::int64_t>(b[2]);
    });
    return table;
}

/// Finds the specs that are asked for. Returns the value of the parameter `spec` of the report, and
/// sets what `found` says of them.
std::string find_asked(SQLite::Database& database, const std::string& spec, DependentSpecs& found) {
    const SpecQuery query = read_asked_spec(spec);
    if (asks_only_hash(query)) {
        found.spec = find_hash(database, "/" + query.hash);
        return found.spec;
    }
    found.spec = query.text();
    if (query.package) {
        refuse_unknown_name(database, NameKind::package, *query.package);
    }
    const MatchingSpecs asked = matching_specs(database, query);
    if (asked.specs.empty() && asked.unknown.empty()) {
        throw UsageError(fmt::format("no spec of the ledger matches '{}'; for the nearest: {}",
                                     found.spec, command_hint({"specs", query.text()})));
    }
    found.undecided = static_cast<std::int64_t>(asked.unknown.size());
    return fmt::format("[{}]", fmt::join(asked.specs, ","));
}

/// Calls `act` with each name of a list "a,b", or with '(no stack)' for an empty or unknown one.
template <typename Act>
void for_each_stack(const Value& list, const Act& act) {
    std::string_view rest = is_null(list) ? std::string_view() : std::get<std::string>(list);
    if (rest.empty()) {
        act(std::string("(no stack)"));
    }
    while (!rest.empty()) {
        const auto comma = std::min(rest.find(','), rest.size());
        act(std::string(rest.substr(0, comma)));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
}

}  // namespace

bool names_a_hash(const std::string& text) {
    return is_dag_hash(text) || text.starts_with('/');
}

std::string find_hash(const SQLite::Database& database, const std::string& text) {
    const std::string beginning = text.starts_with('/') ? text.substr(1) : text;
    const auto found = run_query(
        database, "hash",
        "SELECT DISTINCT x.hash FROM hash_names n CROSS JOIN spec x USING (spec_id) "
        "WHERE n.name >= :beginning AND n.name < :beginning || '~' ORDER BY x.hash LIMIT 6",
        {{"beginning", beginning}});
    if (found.rows.empty() || beginning.empty()) {
        throw UsageError(fmt::format("no spec has the hash '{}'", text));
    }
    if (found.rows.size() > 1) {
        std::vector<std::string> hashes;
        for (const auto& row : found.rows) {
            hashes.push_back(fmt::format("/{}", to_text(row[0])));
        }
        throw UsageError(fmt::format("several specs have a hash that begins with '{}': {}",
                                     beginning, fmt::join(hashes, ", ")));
    }
    return to_text(found.rows[0][0]);
}

DependentSpecs find_dependents(SQLite::Database& database, const Catalog& catalog,
                               const std::string& snapshot, const std::string& spec,
                               const std::string& deptypes) {
    DependentSpecs found;
    found.snapshot = find_snapshot(database, snapshot).name;
    const std::string asked = find_asked(database, spec, found);
    found.dependents = run_report(database, catalog.find("audit/dependents"),
                                  {{"at", found.snapshot}, {"spec", asked}, {"deptype", deptypes}});
    Counts packages;
    Counts stacks;
    for (const auto& row : found.dependents.rows) {
        const bool is_direct = std::get<std::int64_t>(row[3]) != 0;
        found.direct += is_direct ? 1 : 0;
        ++found.all;
        count(packages, std::get<std::string>(row[0]), is_direct);
        for_each_stack(row[5], [&](const std::string& name) { count(stacks, name, is_direct); });
    }
    found.packages = to_table("package", packages);
    found.stacks = to_table("stack", stacks);
    found.unknown = std::get<std::int64_t>(
        run_query(
            database, "dependents",
            "SELECT count(*) FROM snapshot s CROSS JOIN presence p ON p.series_id = "
            "s.series_id AND +p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR "
            "p.valid_to > s.taken_at) WHERE s.name = :at AND p.spec_id NOT IN (SELECT spec_id "
            "FROM node)",
            {{"at", found.snapshot}})
            .rows.at(0)
            .at(0));
    return found;
}

}  // namespace cacheledger
