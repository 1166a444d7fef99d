#include "reports/questions/history/spec_history.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "reports/engine/catalog/absent_package.hpp"
#include "reports/engine/catalog/former_specs.hpp"
#include "reports/engine/catalog/known_names.hpp"
#include "reports/questions/events/event_words.hpp"
#include "reports/questions/history/scope.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::ptrdiff_t most_commits_apart = 3;

using Commits = std::vector<RecipeCommit>;

HistoryEvent event_of(const HistoryScope& scope, Commits commits) {
    HistoryEvent event;
    event.kind = HistoryEvent::Kind::recipe;
    event.taken_at = format_moment(commits.back().committed_at);
    event.series = scope.series;
    event.package = scope.package;
    event.commits = std::move(commits);
    return event;
}

/// The events of the commits, which are sorted by time.
std::vector<HistoryEvent> events_between(const HistoryScope& scope, const Commits& commits,
                                         const std::vector<Moment>& moments) {
    std::vector<HistoryEvent> events;
    for (auto first = commits.begin(); first != commits.end();) {
        // A snapshot may have what was committed up to its moment.
        const Moment next = *std::ranges::lower_bound(moments, first->committed_at);
        const auto last = std::find_if(first, commits.end(), [&](const RecipeCommit& commit) {
            return commit.committed_at > next;
        });
        if (last - first > most_commits_apart) {
            events.push_back(event_of(scope, Commits(first, last)));
        } else {
            std::transform(first, last, std::back_inserter(events),
                           [&](const RecipeCommit& commit) { return event_of(scope, {commit}); });
        }
        first = last;
    }
    return events;
}

void keep_newest(std::size_t most, ScopeHistory& history) {
    const std::size_t cut = history.events.size() - std::min(most, history.events.size());
    history.events.erase(history.events.begin(),
                         history.events.begin() + static_cast<std::ptrdiff_t>(cut));
    history.left_out += cut;
}

/// Commits of recipes that a history leaves out, by series.
struct CommitsLeftOut {
    std::int64_t before = 0;  ///< before the first snapshot
    std::int64_t after = 0;   ///< after the newest one
};

/// Puts the commits that touched the recipe of the scope's package among its events, by time: those
/// between the first snapshot of the series and the newest one. Each is an event; more than three
/// between two snapshots are one. Keeps the newest `most` events.
CommitsLeftOut add_recipe_events(SQLite::Database& database, const HistoryScope& scope,
                                 std::size_t most, ScopeHistory& history) {
    const auto moments = all_values<Moment>(
        database, "SELECT taken_at FROM snapshot WHERE series_id = ? ORDER BY taken_at",
        scope.series_id);
    const auto commits_in = [&](Moment first, Moment last) {
        return recipe_in(database, scope.package, std::nullopt, {first, last}).commits;
    };
    std::vector<HistoryEvent> events =
        events_between(scope, commits_in(moments.front(), moments.back()), moments);
    if (history.left_out > 0 && !history.events.empty()) {
        // What lies between events that are left out is left out, too.
        history.left_out += std::erase_if(events, [&](const HistoryEvent& event) {
            return event.taken_at < history.events.front().taken_at;
        });
    }
    std::vector<HistoryEvent> merged;
    std::ranges::merge(std::move(events), std::move(history.events), std::back_inserter(merged), {},
                       &HistoryEvent::taken_at, &HistoryEvent::taken_at);
    history.events = std::move(merged);
    keep_newest(most, history);
    return {static_cast<std::int64_t>(commits_in(first_moment, moments.front()).size()),
            static_cast<std::int64_t>(commits_in(moments.back(), last_moment).size())};
}

/// A sentence about them; none for none.
std::vector<std::string> remarks_on(const CommitsLeftOut& commits) {
    std::vector<std::string> parts;
    if (commits.before > 0) {
        parts.push_back(fmt::format("{} before the first snapshot", grouped(commits.before)));
    }
    if (commits.after > 0) {
        parts.push_back(fmt::format("{} after the newest one", grouped(commits.after)));
    }
    if (parts.empty()) {
        return {};
    }
    return {fmt::format("Commits of recipes are left out: {}.", listed(parts, parts.size()))};
}

/// The packages of the specs, each with those that a series has, by name of package and series.
std::vector<HistoryScope> find_scopes(const SQLite::Database& database,
                                      const std::vector<std::int64_t>& specs,
                                      const std::optional<std::string>& series) {
    std::vector<HistoryScope> scopes;
    for (auto&& [package_id, package, series_id, name, ids] :
         rows<std::int64_t, std::string, std::int64_t, std::string, std::string>(
             database,
             "SELECT k.package_id, k.name, r.series_id, r.name, json_group_array(x.spec_id) "
             "FROM json_each(?1) j CROSS JOIN spec x ON x.spec_id = j.value "
             "CROSS JOIN look l USING (look_id) CROSS JOIN package k USING (package_id) "
             "CROSS JOIN series r WHERE (?2 IS NULL OR r.name = ?2) AND EXISTS (SELECT 1 "
             "FROM presence p WHERE p.series_id = r.series_id AND p.package_id = l.package_id "
             "AND p.look_id = x.look_id AND p.spec_id = x.spec_id) "
             "GROUP BY k.name, r.name ORDER BY k.name, r.name",
             fmt::format("[{}]", fmt::join(specs, ",")), series)) {
        HistoryScope& scope = scopes.emplace_back();
        scope.package_id = package_id;
        scope.package = std::move(package);
        scope.series_id = series_id;
        scope.series = std::move(name);
        scope.specs = std::move(ids);
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

/// Builds of any packages in one series.
HistoryScope scope_of_series(const SQLite::Database& database, const std::string& series) {
    HistoryScope scope;
    scope.series = series;
    scope.series_id =
        only_value<std::int64_t>(database, "SELECT series_id FROM series WHERE name = ?", series);
    return scope;
}

/// Whether the builds are counted over all packages.
bool is_of_any_package(const SpecQuery& query) {
    return !query.package && query.hash.empty();
}

std::string asked_text(const AskedHistory& asked) {
    const bool is_everything = asked.query == SpecQuery();
    const std::string spec = is_everything ? std::string("All builds") : asked.query.text();
    return asked.stack ? fmt::format("{} (stack {})", spec, *asked.stack) : spec;
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

// Of builds of any packages, it is not counted.
Value rebuilt_of(const HistoryEvent& event) {
    if (event.package.empty()) {
        return {};
    }
    return event.rebuilt;
}

std::string commits_text(const std::vector<RecipeCommit>& commits) {
    std::vector<std::string> ids;
    ids.reserve(commits.size());
    for (const RecipeCommit& commit : commits) {
        ids.push_back(commit.commit_id);
    }
    return fmt::format("{}", fmt::join(ids, ","));
}

/// Of commits, nothing of builds is known.
std::vector<Value> row_of_commits(const HistoryEvent& event, std::size_t columns) {
    std::vector<Value> row = {event.taken_at, Value(), event.series, event.package,
                              event_words(event, all_rows)};
    row.resize(columns);
    return row;
}

std::vector<Value> row_of(const HistoryEvent& event) {
    return {event.taken_at,
            event.snapshot,
            event.series,
            null_if_empty(event.package),
            event_words(event, all_rows),
            event.builds,
            event.added,
            event.removed,
            rebuilt_of(event),
            null_if_empty(arrow(event.version, all_rows)),
            null_if_empty(arrow(event.target, all_rows)),
            null_if_empty(arrow(event.compiler, all_rows)),
            null_if_empty(fmt::format("{}", fmt::join(event.options, "; "))),
            null_if_empty(stacks_text(event.joined)),
            null_if_empty(stacks_text(event.left))};
}

/// Says where the specs are, if they are not where they are looked for.
void remark_on_place(SQLite::Database& database, const AskedHistory& asked,
                     const std::vector<std::int64_t>& specs, SpecHistory& history) {
    std::vector<std::string> others;
    for (const HistoryScope& scope : find_scopes(database, specs, std::nullopt)) {
        if (std::ranges::count(others, scope.series) == 0) {
            others.push_back(scope.series);
        }
    }
    const std::string series = asked.series.value_or("(all)");
    if (others.empty()) {
        history.remarks.push_back(fmt::format(
            "It is in no snapshot: {}.",
            why_in_no_snapshot(ask_names_of(database),
                               fmt::format("x.spec_id IN ({})", fmt::join(specs, ",")))));
    } else if (asked.stack && (!asked.series || std::ranges::count(others, series) > 0)) {
        history.remarks.push_back(fmt::format(
            "The series {} has such builds, but none in the stack {}.", series, *asked.stack));
    } else {
        history.remarks.push_back(fmt::format("The series {} has none; --series can be {}.", series,
                                              fmt::join(others, ", ")));
    }
}

void add_scope(ScopeHistory scope, SpecHistory& history) {
    history.left_out += scope.left_out;
    history.seen = scope.seen;
    std::ranges::move(scope.events, std::back_inserter(history.events));
}

/// Tells what happened in the stacks.
void tell_stack(SQLite::Database& database, const AskedHistory& asked, SpecHistory& history) {
    HistoryScope scope = scope_of_series(database, asked.series.value());
    scope.stack = asked.stack;
    add_scope(series_history(database, scope, asked.most), history);
    if (!history.seen) {
        history.remarks.push_back(
            fmt::format("The series {} has no builds in that stack.", scope.series));
    }
}

/// Tells what happened to builds that match the query.
void tell_specs(SQLite::Database& database, const Catalog& catalog, const AskedHistory& asked,
                const std::vector<std::int64_t>& specs, SpecHistory& history) {
    std::vector<HistoryScope> scopes;
    if (is_of_any_package(asked.query)) {
        scopes.push_back(scope_of_series(database, asked.series.value()));
        scopes.back().specs = fmt::format("[{}]", fmt::join(specs, ","));
    } else {
        scopes = find_scopes(database, specs, asked.series);
    }
    history.has_commits =
        asked.query.package && !history.spec.has_value() && knows_commits(database);
    CommitsLeftOut left_out;
    for (HistoryScope& scope : scopes) {
        scope.stack = asked.stack;
        scope.is_of_one = history.spec.has_value();
        ScopeHistory told = scope.package_id ? package_history(database, catalog, scope, asked.most)
                                             : series_history(database, scope, asked.most);
        if (history.has_commits && (!told.events.empty() || told.left_out > 0)) {
            const CommitsLeftOut more = add_recipe_events(database, scope, asked.most, told);
            left_out.before += more.before;
            left_out.after += more.after;
        }
        add_scope(std::move(told), history);
    }
    std::ranges::move(remarks_on(left_out), std::back_inserter(history.remarks));
    if (scopes.size() != 1 || asks_only_hash(asked.query)) {
        history.seen.reset();
    }
    if (history.events.empty() && history.left_out == 0) {
        remark_on_place(database, asked, specs, history);
    }
}

}  // namespace

SpecHistory find_history(SQLite::Database& database, const Catalog& catalog,
                         const AskedHistory& asked) {
    const SpecQuery& query = asked.query;
    SpecHistory history;
    history.asked = asked_text(asked);
    if (query == SpecQuery()) {
        if (!asked.stack) {
            throw UsageError("history: expected a spec, or --stack");
        }
        tell_stack(database, asked, history);
        return history;
    }
    if (query.package) {
        refuse_unknown_name(database, NameKind::package, *query.package);
    }
    refuse_unknown_targets(query);
    const MatchingSpecs matching = matching_specs(database, query);
    history.remarks = about_build_hash(database, query);
    if (!matching.unknown.empty()) {
        history.remarks.push_back(
            fmt::format("{} match: {}. They are left out.",
                        counted(static_cast<std::int64_t>(matching.unknown.size()),
                                "more build may", "more builds may"),
                        fmt::join(why_unknown(database, query, matching.unknown), "; ")));
    }
    if (asks_only_hash(query) && matching.specs.size() == 1) {
        history.spec = describe(SpecReader(database).read(matching.specs.front()));
    }
    if (matching.specs.empty() && matching.unknown.empty()) {
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
        return history;
    }
    tell_specs(database, catalog, asked, matching.specs, history);
    return history;
}

ResultTable to_table(const SpecHistory& history) {
    ResultTable table{
        {"taken_at", "snapshot", "series", "package", "event", "builds", "added", "removed",
         "rebuilt", "versions", "targets", "compilers", "variants", "stacks_joined", "stacks_left"},
        {}};
    const std::size_t columns = table.columns.size();
    if (history.has_commits) {
        table.columns.insert(table.columns.end(), {"kind", "commits"});
    }
    for (const HistoryEvent& event : history.events) {
        const bool is_recipe = event.kind == HistoryEvent::Kind::recipe;
        table.rows.push_back(is_recipe ? row_of_commits(event, columns) : row_of(event));
        if (history.has_commits) {
            table.rows.back().emplace_back(is_recipe ? "recipe" : "builds");
            table.rows.back().push_back(null_if_empty(commits_text(event.commits)));
        }
    }
    return table;
}

}  // namespace cacheledger
