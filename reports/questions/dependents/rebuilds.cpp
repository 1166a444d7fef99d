#include "reports/questions/dependents/dependents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/engine/present/snapshot_specs.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr auto specs_of_package =
    "SELECT x.spec_id FROM package k CROSS JOIN look l USING (package_id) "
    "CROSS JOIN spec x USING (look_id) WHERE k.name = ?";

constexpr auto words_of_builds = R"(
    SELECT p.spec_id, p.package, v.version, x.hash, z.bytes
    FROM present_specs p
    CROSS JOIN spec x USING (spec_id)
    CROSS JOIN look l ON l.look_id = x.look_id
    CROSS JOIN spec_sizes z ON z.spec_id = x.spec_id
    LEFT JOIN version v USING (version_id)
    WHERE p.snapshot_id = ?)";

// What came of a package, and with which version and recipe.
constexpr auto arrivals_of_package = R"(
    SELECT p.valid_from, p.spec_id, ifnull(v.version, ''), ifnull(r.package_hash, '')
    FROM package k
    CROSS JOIN presence p ON p.series_id = ?1 AND p.package_id = k.package_id
    CROSS JOIN look l ON l.look_id = p.look_id
    LEFT JOIN version v USING (version_id)
    LEFT JOIN node n ON n.spec_id = p.spec_id
    LEFT JOIN recipe r USING (recipe_id)
    WHERE k.name = ?2 AND p.came = 1 AND p.valid_from <= ?3
    ORDER BY p.valid_from)";

SpecSet dependents_by_hash(const SpecGraph& graph, SpecSet starts) {
    return with_dependents(graph, std::move(starts),
                           [&](std::uint32_t /*spec*/, const SpecGraph::Edge& edge) {
                               return graph.is_hashed(edge.spec, edge);
                           });
}

/// The wave of each of these specs, from 1 on: it needs only what is in earlier ones.
std::vector<std::int64_t> waves_of(const SpecGraph& graph, const SpecSet& specs) {
    std::vector<std::int64_t> waves(graph.size());
    std::vector<std::int64_t> open(graph.size());
    std::vector<std::uint32_t> ready;
    const auto for_needs = [&](std::uint32_t spec, const auto& edges, const auto& take) {
        for (const SpecGraph::Edge& edge : edges) {
            if (specs[edge.spec]) {
                take(spec, edge);
            }
        }
    };
    for (const std::uint32_t spec : members(specs)) {
        for_needs(spec, graph.dependencies(spec), [&](std::uint32_t one, const auto& edge) {
            open[one] += graph.is_hashed(one, edge) ? 1 : 0;
        });
        if (open[spec] == 0) {
            waves[spec] = 1;
            ready.push_back(spec);
        }
    }
    while (!ready.empty()) {
        const std::uint32_t spec = ready.back();
        ready.pop_back();
        for_needs(spec, graph.dependents(spec), [&](std::uint32_t one, const auto& edge) {
            if (!graph.is_hashed(edge.spec, edge)) {
                return;
            }
            waves[edge.spec] = std::max(waves[edge.spec], waves[one] + 1);
            if (--open[edge.spec] == 0) {
                ready.push_back(edge.spec);
            }
        });
    }
    return waves;
}

/// What a package had before, and at which moments it came otherwise.
using Arrivals = std::map<Moment, std::pair<std::set<std::string>, std::vector<std::uint32_t>>>;

void add_arrivals(const SQLite::Database& database, const Snapshot& snapshot,
                  const std::string& package, Arrivals& arrivals) {
    std::map<std::pair<std::string, std::string>, Moment> seen;
    for (auto&& [at, spec, version, recipe] : rows<Moment, std::int64_t, std::string, std::string>(
             database, arrivals_of_package, snapshot.series_id, package, snapshot.taken_at)) {
        const auto first = seen.try_emplace({version, recipe}, at).first->second;
        if (first == at) {
            auto& [packages, specs] = arrivals[at];
            packages.insert(package);
            specs.push_back(static_cast<std::uint32_t>(spec));
        }
    }
}

void find_past(SQLite::Database& database, const Snapshot& snapshot,
               const std::vector<ChangedRecipe>& recipes, Rebuilds& found) {
    const auto states = rows<std::string, Moment>(
                            database,
                            "SELECT name, taken_at FROM snapshot WHERE series_id = ? AND taken_at "
                            "<= ? ORDER BY taken_at",
                            snapshot.series_id, snapshot.taken_at)
                            .to<std::vector<std::tuple<std::string, Moment>>>();
    found.states = std::ssize(states);
    Arrivals arrivals;
    for (const ChangedRecipe& recipe : recipes) {
        add_arrivals(database, snapshot, recipe.package, arrivals);
    }
    arrivals.erase(std::get<1>(states.front()));  // what the first has is no change
    if (arrivals.empty()) {
        return;
    }
    std::map<Moment, std::vector<std::uint32_t>> came;
    SpecSet all(number_of_places(database));
    for (const auto& [at, spec] : rows<Moment, std::int64_t>(
             database, "SELECT valid_from, spec_id FROM presence WHERE series_id = ? AND came = 1",
             snapshot.series_id)) {
        if (arrivals.contains(at)) {
            came[at].push_back(static_cast<std::uint32_t>(spec));
            add_spec(all, spec);
        }
    }
    const SpecGraph graph(database, all);
    for (const auto& [name, at] : states) {
        const auto one = arrivals.find(at);
        if (one == arrivals.end()) {
            continue;
        }
        SpecSet starts = graph.no_specs();
        for (const std::uint32_t spec : one->second.second) {
            starts[spec] = true;
        }
        const SpecSet reached = dependents_by_hash(graph, std::move(starts));
        const std::set<std::string>& packages = one->second.first;
        found.past.rows.push_back(
            {name, format_moment(at), listed({packages.begin(), packages.end()}, packages.size()),
             static_cast<std::int64_t>(std::ranges::count_if(
                 came[at], [&](std::uint32_t spec) { return reached[spec]; }))});
    }
}

/// The specs of a package that the graph has met, but for external ones.
SpecSet specs_of(const SQLite::Database& database, const SpecSet& met, const SpecSet& external,
                 const std::string& package) {
    SpecSet specs(met.size());
    for (const auto& [spec] : rows<std::int64_t>(database, specs_of_package, package)) {
        if (has_spec(met, spec) && !has_spec(external, spec)) {
            add_spec(specs, spec);
        }
    }
    return specs;
}

void join(SpecSet& specs, const SpecSet& more) {
    for (const std::uint32_t spec : members(more)) {
        specs[spec] = true;
    }
}

std::int64_t count_both(const SpecSet& specs, const SpecSet& others) {
    return std::ranges::count_if(members(specs), [&](std::uint32_t one) { return others[one]; });
}

void add_builds(const SQLite::Database& database, const Snapshot& snapshot, const SpecSet& sure,
                const SpecSet& changed, const std::vector<std::int64_t>& waves, Rebuilds& found) {
    for (auto&& [spec, package, version, hash, bytes] :
         rows<std::int64_t, std::string, std::optional<std::string>, std::string,
              std::optional<std::int64_t>>(database, words_of_builds, snapshot.id)) {
        const auto place = static_cast<std::size_t>(spec);
        if (!has_spec(changed, spec)) {
            continue;
        }
        ++(sure[place] ? found.sure : found.may);
        found.waves = std::max(found.waves, waves[place]);
        found.bytes += bytes.value_or(0);
        found.sized += bytes ? 1 : 0;
        found.builds.rows.push_back({waves[place], package, or_null(version), hash,
                                     std::int64_t{!sure[place]}, or_null(bytes)});
    }
    std::ranges::sort(found.builds.rows);
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> stacks;
    for (auto&& [stack, spec] : rows<std::string, std::int64_t>(
             database,
             "SELECT t.stack, p.spec_id FROM present_specs p CROSS JOIN stack_set_stacks t "
             "USING (stack_set_id) WHERE p.snapshot_id = ? AND t.stack <> 'root'",
             snapshot.id)) {
        auto& [builds, of] = stacks[stack];
        builds += has_spec(changed, spec) ? 1 : 0;
        ++of;
    }
    for (const auto& [stack, numbers] : stacks) {
        if (numbers.first > 0) {
            found.stacks.rows.push_back({stack, numbers.first, numbers.second});
        }
    }
    std::ranges::stable_sort(found.stacks.rows, [](const auto& a, const auto& b) {
        return integer(a[1]) > integer(b[1]);
    });
}

// The recipes that commits touched, and whether each of these brought a version of it. What else
// such a commit changed, the ledger does not know.
constexpr auto touched_recipes = R"(
    SELECT k.name, min(EXISTS (
      SELECT 1 FROM recipe_version v
      WHERE v.recipe_package_id = x.recipe_package_id AND v.recipe_commit_id = x.recipe_commit_id))
    FROM recipe_commit c
    CROSS JOIN recipe_change x USING (recipe_commit_id)
    CROSS JOIN recipe_package k USING (recipe_package_id)
    WHERE c.recipe_commit_id > ?1 AND c.recipe_commit_id <= ?2 AND c.package_repository_id = ?3
    GROUP BY k.name)";

/// The commit of the ledger whose id begins so: its number, and that of its repository.
std::pair<std::int64_t, std::int64_t> find_commit(const SQLite::Database& database,
                                                  const std::string& range,
                                                  const std::string& commit) {
    const auto found = rows<std::int64_t, std::int64_t>(
                           database,
                           "SELECT recipe_commit_id, package_repository_id FROM recipe_commit "
                           "WHERE lower(hex(commit_id)) GLOB ? || '*' LIMIT 2",
                           commit)
                           .to<std::vector<std::tuple<std::int64_t, std::int64_t>>>();
    if (found.size() != 1) {
        throw UsageError(fmt::format(
            "--commits '{}': {} of the ledger that touched a recipe begins with '{}'; for any "
            "others: git diff {} | cacheledger dependents - --rebuilds",
            range, found.empty() ? "no commit" : "more than one commit", commit, range));
    }
    return {std::get<0>(found.front()), std::get<1>(found.front())};
}

}  // namespace

std::string_view name_of_change(RecipeChange change) {
    switch (change) {
        case RecipeChange::recipe:
            return "recipe";
        case RecipeChange::version:
            return "version";
        case RecipeChange::version_or_more:
            return "version or more";
        case RecipeChange::other_file:
            return "other file";
    }
    return "";
}

Rebuilds find_rebuilds(SQLite::Database& database, const Snapshot& snapshot,
                       const std::vector<ChangedRecipe>& recipes, const std::string& rests_on) {
    Rebuilds found;
    found.what = recipes.empty()       ? "no recipe"
                 : recipes.size() == 1 ? recipes.front().package
                                       : fmt::format("{} recipes", recipes.size());
    found.rests_on = rests_on;
    found.snapshot = snapshot.name;
    found.series = series_of_tag(snapshot.tag);
    const SpecSet present = specs_of_snapshot(database, snapshot.name).specs;
    const SpecGraph graph(database, present);
    const SpecSet met = with_dependencies(graph, present, SpecGraph::all_edges());
    const SpecSet external = external_specs(database);
    SpecSet sure = graph.no_specs();
    SpecSet changed = graph.no_specs();
    for (const ChangedRecipe& recipe : recipes) {
        const SpecSet reached =
            dependents_by_hash(graph, specs_of(database, met, external, recipe.package));
        found.recipes.rows.push_back({recipe.package, std::string(name_of_change(recipe.change)),
                                      count_both(reached, present)});
        join(changed, reached);
        if (recipe.change == RecipeChange::recipe) {
            join(sure, reached);
        }
    }
    std::ranges::stable_sort(found.recipes.rows, [](const auto& a, const auto& b) {
        return integer(a[2]) > integer(b[2]);
    });
    for (const std::uint32_t spec : members(present)) {
        found.unknown += graph.form(spec) == 0 ? 1 : 0;
    }
    add_builds(database, snapshot, sure, changed, waves_of(graph, changed), found);
    find_past(database, snapshot, recipes, found);
    return found;
}

std::vector<ChangedRecipe> recipes_of_commits(const SQLite::Database& database,
                                              const std::string& range) {
    const auto dots = range.find("..");
    if (dots == std::string::npos || dots == 0 || dots + 2 == range.size()) {
        throw UsageError(fmt::format("--commits '{}': expected A..B", range));
    }
    const std::string from = range.substr(0, dots);
    const std::string to = range.substr(dots + 2);
    const auto [first, first_repository] = find_commit(database, range, from);
    const auto [last, last_repository] = find_commit(database, range, to);
    if (first_repository != last_repository) {
        throw UsageError(fmt::format("--commits '{}': {} and {} are commits of two repositories",
                                     range, from, to));
    }
    if (first >= last) {
        throw UsageError(fmt::format("--commits '{}': {} {}; expected A..B, where B comes after A",
                                     range, from,
                                     first == last ? fmt::format("and {} are one commit", to)
                                                   : fmt::format("comes after {}", to)));
    }
    std::vector<ChangedRecipe> recipes;
    for (auto&& [package, all_bring_versions] :
         rows<std::string, bool>(database, touched_recipes, first, last, first_repository)) {
        recipes.push_back({std::move(package), all_bring_versions ? RecipeChange::version_or_more
                                                                  : RecipeChange::recipe});
    }
    return recipes;
}

}  // namespace cacheledger
