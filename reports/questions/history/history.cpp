#include "reports/questions/history/history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/commits/recipe_commits.hpp"
#include "reports/questions/history/told_scope.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

/// The packages of the specs, each with those that a series has, by name of package and series.
std::vector<HistoryScope> find_scopes(const SQLite::Database& database, const std::string& specs,
                                      const std::optional<std::string>& series) {
    const auto rows = run_query(database, "history",
                                "SELECT k.package_id, k.name, r.series_id, r.name, "
                                "json_group_array(x.spec_id) FROM json_each(:specs) j "
                                "CROSS JOIN spec x ON x.spec_id = j.value "
                                "CROSS JOIN look l USING (look_id) "
                                "CROSS JOIN package k USING (package_id) CROSS JOIN series r "
                                "WHERE (:series IS NULL OR r.name = :series) AND EXISTS (SELECT 1 "
                                "FROM presence p WHERE p.series_id = r.series_id AND p.package_id "
                                "= l.package_id AND p.look_id = x.look_id AND p.spec_id = "
                                "x.spec_id) GROUP BY k.name, r.name ORDER BY k.name, r.name",
                                {{"specs", specs}, {"series", or_null(series)}})
                          .rows;
    std::vector<HistoryScope> scopes;
    scopes.reserve(rows.size());
    for (const auto& row : rows) {
        scopes.push_back({.package_id = row[0],
                          .package = to_text(row[1]),
                          .series_id = integer(row[2]),
                          .series = to_text(row[3]),
                          .specs = row[4]});
    }
    return scopes;
}

/// Builds of any packages in one series.
HistoryScope scope_of_series(const SQLite::Database& database, const std::string& series) {
    return {.series_id = only_value<std::int64_t>(
                database, "SELECT series_id FROM series WHERE name = ?", series),
            .series = series};
}

std::string describe(const SpecWords& spec) {
    std::string text = spec.package;
    for (const auto& [sign, word] :
         {std::pair("@", spec.version), std::pair(" %", spec.compiler),
          std::pair(" ", spec.variants), std::pair(" platform=", spec.platform),
          std::pair(" os=", spec.os), std::pair(" target=", spec.target)}) {
        text += word ? sign + *word : "";
    }
    return fmt::format("{} /{}", text, spec.hash);
}

/// Says where the specs are, if they are not where they are looked for.
std::string remark_on_place(SQLite::Database& database, const AskedHistory& asked,
                            const std::string& specs) {
    std::vector<std::string> others;
    for (const HistoryScope& scope : find_scopes(database, specs, std::nullopt)) {
        if (std::ranges::count(others, scope.series) == 0) {
            others.push_back(scope.series);
        }
    }
    const std::string series = asked.series.value_or("(all)");
    if (others.empty()) {
        return fmt::format("It is in no snapshot: {}.",
                           why_in_no_snapshot(ask_names_of(database),
                                              fmt::format("x.spec_id IN ({})",
                                                          specs.substr(1, specs.size() - 2))));
    }
    if (asked.stack && (!asked.series || std::ranges::count(others, series) > 0)) {
        return fmt::format("The series {} has such builds, but none in the stack {}.", series,
                           *asked.stack);
    }
    return fmt::format("The series {} has none; --series can be {}.", series,
                       fmt::join(others, ", "));
}

/// Why nothing matches, and what the spec was before.
void remark_on_absence(SQLite::Database& database, const AskedHistory& asked,
                       SpecHistory& history) {
    const SpecQuery& query = asked.query;
    history.remarks.push_back(
        asks_only_hash(query)
            ? fmt::format("No build of the ledger has a hash that begins with {}.", query.hash)
        : query.package ? fmt::format("No build of the ledger matches; for the nearest: {}",
                                      command_hint({"specs", query.text()}))
                        : std::string("No build of the ledger matches."));
    FormerSpecs former(database, std::nullopt);
    former.ask(asked.typed, query, "this");
    if (auto remark = former.remark()) {
        history.remarks.push_back(*std::move(remark));
    }
}

/// Tells what happened to the builds of the scopes, one after the other.
void tell(SQLite::Database& database, const Catalog& catalog, const AskedHistory& asked,
          std::vector<HistoryScope> scopes, SpecHistory& history) {
    std::int64_t before = 0;
    std::int64_t after = 0;
    for (HistoryScope& scope : scopes) {
        scope.stack = or_null(asked.stack);
        scope.is_of_one = history.spec.has_value();
        scope.has_commits = history.has_commits;
        ToldScope told = tell_scope(database, catalog, scope, asked.most);
        before += told.commits_before;
        after += told.commits_after;
        history.left_out += told.left_out;
        history.seen = told.seen;
        std::ranges::move(told.events, std::back_inserter(history.events));
    }
    std::vector<std::string> parts;
    if (before > 0) {
        parts.push_back(fmt::format("{} before the first snapshot", grouped(before)));
    }
    if (after > 0) {
        parts.push_back(fmt::format("{} after the newest one", grouped(after)));
    }
    if (!parts.empty()) {
        history.remarks.push_back(
            fmt::format("Commits of recipes are left out: {}.", listed(parts, parts.size())));
    }
    if (scopes.size() != 1 || asks_only_hash(asked.query)) {
        history.seen.reset();
    }
}

/// Tells what happened in the stacks that match.
SpecHistory history_of_stack(SQLite::Database& database, const Catalog& catalog,
                             const AskedHistory& asked) {
    if (!asked.stack) {
        throw UsageError("history: expected a spec, or --stack");
    }
    SpecHistory history;
    history.place = asked.place;
    history.asked = fmt::format("All builds (stack {})", *asked.stack);
    tell(database, catalog, asked, {scope_of_series(database, asked.series.value())}, history);
    if (!history.seen) {
        history.remarks.push_back(
            fmt::format("The series {} has no builds in that stack.", *asked.series));
    }
    return history;
}

}  // namespace

SpecHistory find_history(SQLite::Database& database, const Catalog& catalog,
                         const AskedHistory& asked) {
    const SpecQuery& query = asked.query;
    if (query == SpecQuery()) {
        return history_of_stack(database, catalog, asked);
    }
    if (query.package) {
        refuse_unknown_name(database, NameKind::package, *query.package);
    }
    refuse_unknown_targets(query);
    SpecHistory history;
    history.place = asked.place;
    history.asked = query.text();
    if (asked.stack) {
        history.asked += fmt::format(" (stack {})", *asked.stack);
    }
    const MatchingSpecs matching = matching_specs(database, query);
    history.remarks = about_build_hash(database, query);
    if (const auto unknown = words_of_unknown(database, query, matching.unknown)) {
        history.remarks.push_back(*unknown + ". They are left out.");
    }
    if (asks_only_hash(query) && matching.specs.size() == 1) {
        history.spec = describe(SpecReader(database).read(matching.specs.front()));
    }
    if (matching.specs.empty() && matching.unknown.empty()) {
        remark_on_absence(database, asked, history);
        return history;
    }
    const std::string specs = fmt::format("[{}]", fmt::join(matching.specs, ","));
    std::vector<HistoryScope> scopes;
    if (!query.package && query.hash.empty()) {
        scopes.push_back(scope_of_series(database, asked.series.value()));
        scopes.back().specs = specs;
    } else {
        scopes = find_scopes(database, specs, asked.series);
    }
    history.has_commits = query.package && !history.spec.has_value() && knows_commits(database);
    tell(database, catalog, asked, std::move(scopes), history);
    if (history.events.empty() && history.left_out == 0) {
        history.remarks.push_back(remark_on_place(database, asked, specs));
    }
    return history;
}

}  // namespace cacheledger
