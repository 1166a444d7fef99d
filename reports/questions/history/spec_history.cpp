#include "reports/questions/history/spec_history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/questions/history/event_words.hpp"
#include "reports/questions/history/package_history.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/search/build_hash.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// The packages of the specs, each with those that a series has, by name of package and series.
std::vector<HistoryScope> find_scopes(const SQLite::Database& database,
                                      const std::vector<std::int64_t>& specs,
                                      const std::optional<std::string>& series) {
    const auto rows = run_query(database, "history",
                                "SELECT k.package_id, k.name, r.series_id, r.name, "
                                "group_concat(x.spec_id) FROM json_each(:specs) j "
                                "CROSS JOIN spec x ON x.spec_id = j.value "
                                "CROSS JOIN look l USING (look_id) "
                                "CROSS JOIN package k USING (package_id) CROSS JOIN series r "
                                "WHERE (:series IS NULL OR r.name = :series) AND EXISTS (SELECT 1 "
                                "FROM presence p WHERE p.series_id = r.series_id AND p.package_id "
                                "= l.package_id AND p.look_id = x.look_id AND p.spec_id = "
                                "x.spec_id) GROUP BY k.name, r.name ORDER BY k.name, r.name",
                                {{"specs", fmt::format("[{}]", fmt::join(specs, ","))},
                                 {"series", series ? Value(*series) : Value()}})
                          .rows;
    std::vector<HistoryScope> scopes;
    for (const auto& row : rows) {
        HistoryScope scope;
        scope.package_id = integer(row[0]);
        scope.package = to_text(row[1]);
        scope.series_id = integer(row[2]);
        scope.series = to_text(row[3]);
        for (const std::string& id : split(to_text(row[4]), ',')) {
            scope.specs.push_back(std::stoll(id));
        }
        scopes.push_back(std::move(scope));
    }
    return scopes;
}

std::string describe(const SpecWords& spec) {
    std::string text = spec.package;
    for (const auto& [sign, word] :
         {std::pair("@", spec.version), std::pair(" %", spec.compiler),
          std::pair(" ", spec.variants), std::pair(" platform=", spec.platform),
          std::pair(" os=", spec.os), std::pair(" target=", spec.target)}) {
        text += word ? fmt::format("{}{}", sign, *word) : "";
    }
    return fmt::format("{} /{}", text, spec.hash);
}

MatchingSpecs find_asked(SQLite::Database& database, const SpecQuery& query) {
    if (!query.package && query.hash.empty()) {
        throw UsageError(fmt::format(
            "history '{0}': expected a spec that names a package or a hash, such as 'hdf5 {0}' or "
            "/abc1234",
            query.text()));
    }
    if (query.package) {
        refuse_unknown_name(database, NameKind::package, *query.package);
    }
    return matching_specs(database, query);
}

std::string stacks_text(const std::map<std::string, std::int64_t>& stacks) {
    std::vector<std::string> names;
    names.reserve(stacks.size());
    for (const auto& [stack, specs] : stacks) {
        names.push_back(stack);
    }
    return fmt::format("{}", fmt::join(names, ","));
}

Value null_if_empty(const std::string& text) {
    return text.empty() ? Value() : Value(text);
}

std::vector<Value> row_of(const HistoryEvent& event) {
    return {event.taken_at,
            event.snapshot,
            event.series,
            event.package,
            event_words(event, no_limit),
            event.builds,
            event.added,
            event.removed,
            event.rebuilt,
            null_if_empty(arrow(event.version, no_limit)),
            null_if_empty(arrow(event.target, no_limit)),
            null_if_empty(arrow(event.compiler, no_limit)),
            null_if_empty(fmt::format("{}", fmt::join(event.options, "; "))),
            null_if_empty(stacks_text(event.joined)),
            null_if_empty(stacks_text(event.left))};
}

/// Says where the specs are, if the series has none of them.
void remark_on_series(const std::vector<HistoryScope>& elsewhere,
                      const std::optional<std::string>& series, SpecHistory& history) {
    std::vector<std::string> others;
    for (const HistoryScope& scope : elsewhere) {
        if (std::ranges::count(others, scope.series) == 0) {
            others.push_back(scope.series);
        }
    }
    history.remarks.push_back(
        others.empty() ? std::string("It is in no snapshot: other builds only depend on it.")
                       : fmt::format("The series {} has none; --series can be {}.",
                                     series.value_or("(all)"), fmt::join(others, ", ")));
}

}  // namespace

SpecHistory find_history(SQLite::Database& database, const Catalog& catalog, const SpecQuery& query,
                         const std::optional<std::string>& series, std::size_t most) {
    const MatchingSpecs asked = find_asked(database, query);
    SpecHistory history;
    history.asked = query.text();
    history.remarks = about_build_hash(database, query);
    if (!asked.unknown.empty()) {
        history.remarks.push_back(fmt::format(
            "{} match: pages do not list dependencies, flags and patches. They are left out.",
            counted(static_cast<std::int64_t>(asked.unknown.size()), "more build may",
                    "more builds may")));
    }
    const bool is_one = asks_only_hash(query) && asked.specs.size() == 1;
    if (is_one) {
        history.spec = describe(SpecReader(database).read(asked.specs.front()));
    }
    if (asked.specs.empty() && asked.unknown.empty()) {
        history.remarks.push_back(
            asks_only_hash(query)
                ? fmt::format("No build of the ledger has a hash that begins with {}.", query.hash)
                : fmt::format("No build of the ledger matches; for the nearest: {}",
                              command_hint({"specs", query.text()})));
        return history;
    }
    std::vector<HistoryScope> scopes = find_scopes(database, asked.specs, series);
    if (scopes.empty()) {
        remark_on_series(find_scopes(database, asked.specs, std::nullopt), series, history);
    }
    for (HistoryScope& scope : scopes) {
        scope.is_of_one = is_one;
        for (HistoryEvent& event :
             package_history(database, catalog, scope, most, history.left_out)) {
            history.events.push_back(std::move(event));
        }
    }
    return history;
}

ResultTable to_table(const SpecHistory& history) {
    ResultTable table{
        {"taken_at", "snapshot", "series", "package", "event", "builds", "added", "removed",
         "rebuilt", "versions", "targets", "compilers", "variants", "stacks_joined", "stacks_left"},
        {}};
    for (const HistoryEvent& event : history.events) {
        table.rows.push_back(row_of(event));
    }
    return table;
}

}  // namespace cacheledger
