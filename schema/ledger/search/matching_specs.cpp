#include "schema/ledger/search/matching_specs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/ledger/search/dependents.hpp"
#include "schema/ledger/search/look_answers.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// Those of some specs that have, with all that they depend on, what a query asks of all of these
// ("++mpi"): who has the variant has it with this value.
MatchingSpecs with_propagated(const SQLite::Database& database, const SpecQuery& query,
                              const MatchingSpecs& specs) {
    SpecQuery propagated;
    std::ranges::copy_if(query.variants, std::back_inserter(propagated.variants),
                         &VariantQuery::is_propagated);
    const LookAnswers looks(database, propagated);
    SpecSet lacking(number_of_places(database));
    SpecSet unknown = lacking;
    for (const auto* const ids : {&specs.specs, &specs.unknown}) {
        std::ranges::for_each(*ids, [&](std::int64_t id) { add_spec(unknown, id); });
    }
    const SpecGraph graph(database, unknown);
    unknown = with_dependencies(graph, std::move(unknown), SpecGraph::all_edges());
    const Select<std::size_t, std::int64_t> looks_of(
        database, "SELECT spec_id, look_id FROM spec WHERE spec_id BETWEEN ? AND ?");
    for_ranges(SpecSet(unknown), [&](std::uint32_t first, std::uint32_t last) {
        for (const auto& [spec, look_id] : looks_of(first, last)) {
            const auto* const look = looks.find(look_id);
            lacking[spec] = unknown[spec] && look == nullptr;
            unknown[spec] = unknown[spec] && look != nullptr &&
                            (look->answer == Answer::unknown || graph.form(spec) == 0);
        }
    });
    lacking = with_dependents(graph, std::move(lacking), SpecGraph::all_edges());
    unknown = with_dependents(graph, std::move(unknown), SpecGraph::all_edges());
    MatchingSpecs found;
    for (const std::int64_t id : specs.specs) {
        if (!has_spec(lacking, id)) {
            (has_spec(unknown, id) ? found.unknown : found.specs).push_back(id);
        }
    }
    std::ranges::copy_if(specs.unknown, std::back_inserter(found.unknown),
                         [&](std::int64_t id) { return !has_spec(lacking, id); });
    return found;
}

/// Asks one query of specs of the ledger.
class Search {
  public:
    Search(SQLite::Database& database, const SpecQuery& query, SearchMemory* memory = nullptr,
           ShownCompiler shown = ShownCompiler::of_all_languages)
        : database_(database),
          query_(query),
          looks_(database, query),
          dependencies_(database, query, memory, shown),
          recipe_(database,
                  "SELECT namespace, flags, patches FROM node JOIN recipe USING (recipe_id) "
                  "WHERE spec_id = ?") {}

    /// Asks about these specs, with their looks.
    template <typename Specs>
    MatchingSpecs run(const Specs& specs) {
        for (const auto& [spec_id, look_id] : specs) {
            add(spec_id, look_id);
        }
        return in_order();
    }

  private:
    void add(std::int64_t spec_id, std::int64_t look_id) {
        const auto* const look = looks_.find(look_id);
        const Answer answer = look == nullptr ? Answer::no : ask(spec_id, *look);
        if (answer != Answer::no) {
            (answer == Answer::yes ? found_.specs : found_.unknown).push_back(spec_id);
        }
    }

    MatchingSpecs in_order() {
        if (std::ranges::any_of(query_.variants, &VariantQuery::is_propagated)) {
            found_ = with_propagated(database_, query_, found_);
        }
        std::ranges::sort(found_.specs);
        std::ranges::sort(found_.unknown);
        return std::move(found_);
    }

    Answer ask(std::int64_t spec_id, const LookAnswers::Look& look) {
        Answer all = all_of(look.answer, ask_recipe(spec_id, look));
        for (std::size_t i = 0; i < query_.dependencies.size() && all != Answer::no; ++i) {
            all = all_of(all, dependencies_.answer(i, spec_id, looks_.compiler(look)));
        }
        return all;
    }

    // What only the node of a spec says.
    Answer ask_recipe(std::int64_t spec_id, const LookAnswers::Look& look) {
        const bool asks_patches = std::ranges::find(query_.variants, "patches",
                                                    &VariantQuery::name) != query_.variants.end();
        if (!query_.name_space && query_.flags.empty() && !asks_patches) {
            return Answer::yes;
        }
        using Text = std::optional<std::string>;
        const auto [name_space, flags, patches] =
            recipe_(spec_id).first().value_or(std::tuple<Text, Text, Text>());
        return all_of(matches_recipe(query_, name_space, flags),
                      matches_patches(query_, looks_.variants(look), patches));
    }

    SQLite::Database& database_;
    const SpecQuery& query_;
    LookAnswers looks_;
    DependencyAnswers dependencies_;
    Select<std::optional<std::string>, std::optional<std::string>, std::optional<std::string>>
        recipe_;
    MatchingSpecs found_;
};

constexpr auto present_with_hash = R"(
    SELECT x.spec_id, x.look_id
    FROM snapshot s
    CROSS JOIN spec x
    CROSS JOIN look l USING (look_id)
    CROSS JOIN presence p
      ON p.series_id = s.series_id
     AND p.package_id = l.package_id
     AND p.look_id = x.look_id
     AND p.spec_id = x.spec_id
     AND p.valid_from <= s.taken_at
     AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
    WHERE s.snapshot_id = ?
      AND x.spec_id IN (SELECT spec_id FROM hash_names WHERE name >= ? AND name < ?)
      AND l.package_id IN (SELECT package_id FROM package WHERE name GLOB ?))";
constexpr auto present_of_package =
    "SELECT spec_id, look_id FROM present_specs WHERE snapshot_id = ? AND package = ?";
constexpr auto present_of_packages =
    "SELECT spec_id, look_id FROM present_specs WHERE snapshot_id = ? AND package GLOB ?";
constexpr auto known_with_hash =
    "SELECT spec_id, look_id FROM spec WHERE spec_id IN "
    "(SELECT spec_id FROM hash_names WHERE name >= ? AND name < ?)";
constexpr auto known_of_package =
    // A join would make an index of all specs by look for it.
    "SELECT spec_id, look_id FROM spec WHERE look_id IN (SELECT look_id FROM look "
    "WHERE package_id = (SELECT package_id FROM package WHERE name = ?))";
constexpr auto all_known = "SELECT spec_id, look_id FROM spec";

template <typename... Values>
MatchingSpecs run(SQLite::Database& database, const SpecQuery& query, const char* sql,
                  const Values&... values) {
    return Search(database, query).run(rows<std::int64_t, std::int64_t>(database, sql, values...));
}

/// What a query asks that only recipes say; empty if it asks nothing like that.
std::string asked_of_recipes(SQLite::Database& database, const SpecQuery& query) {
    for (const DependencyQuery& dependency : query.dependencies) {
        const SpecQuery& asked = dependency.spec;
        if (asked.package && !asked.version.allows_all() && !is_language(*asked.package) &&
            is_virtual(database, *asked.package)) {
            return fmt::format("only recipes say which versions of {} a package provides",
                               *asked.package);
        }
    }
    return {};
}

}  // namespace

MatchingSpecs matching_specs(SQLite::Database& database, std::int64_t snapshot_id,
                             const SpecQuery& query, const std::string& packages) {
    if (!query.hash.empty()) {
        return run(database, query, present_with_hash, snapshot_id, query.hash,
                   end_of_hashes(query.hash), packages);
    }
    return query.package ? run(database, query, present_of_package, snapshot_id, *query.package)
                         : run(database, query, present_of_packages, snapshot_id, packages);
}

MatchingSpecs matching_specs(SQLite::Database& database, const SpecQuery& query) {
    if (!query.hash.empty()) {
        return run(database, query, known_with_hash, query.hash, end_of_hashes(query.hash));
    }
    return query.package ? run(database, query, known_of_package, *query.package)
                         : run(database, query, all_known);
}

MatchingSpecs matching_specs(SQLite::Database& database, const SpecQuery& query,
                             const std::vector<SpecAndLook>& specs, SearchMemory* memory,
                             ShownCompiler shown) {
    return Search(database, query, memory, shown).run(specs);
}

std::set<std::string> why_unknown(SQLite::Database& database, const SpecQuery& query,
                                  const std::vector<std::int64_t>& unknown) {
    const std::string of_recipes = asked_of_recipes(database, query);
    std::set<std::string> reasons;
    for (const auto& [target, is_node] : rows<std::optional<std::string>, bool>(
             database,
             "SELECT DISTINCT a.target, n.spec_id IS NOT NULL FROM json_each(?) j "
             "CROSS JOIN spec x ON x.spec_id = j.value CROSS JOIN look l USING (look_id) "
             "LEFT JOIN arch a USING (arch_id) LEFT JOIN node n ON n.spec_id = x.spec_id",
             fmt::format("[{}]", fmt::join(unknown, ",")))) {
        reasons.insert(query.target && target && query.target->contains(*target) == Answer::unknown
                           ? fmt::format("what the target {} runs is not known", *target)
                       : !is_node           ? "pages do not list dependencies, flags and patches"
                       : of_recipes.empty() ? "no source says enough of them"
                                            : of_recipes);
    }
    return reasons;
}

std::optional<std::string> words_of_unknown(SQLite::Database& database, const SpecQuery& query,
                                            const std::vector<std::int64_t>& unknown) {
    if (unknown.empty()) {
        return std::nullopt;
    }
    return fmt::format("{} match: {}",
                       counted(std::ssize(unknown), "more build may", "more builds may"),
                       fmt::join(why_unknown(database, query, unknown), "; "));
}

}  // namespace cacheledger
