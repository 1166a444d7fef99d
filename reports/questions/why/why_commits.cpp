#include "reports/questions/why/why_commits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_recipes_named = 10;

/// The reasons that a recipe can explain, by their smallest hash.
std::map<std::string, ReasonRecipe> read_recipes(const SQLite::Database& database) {
    std::map<std::string, ReasonRecipe> recipes;
    for (const auto& row : run_query(database, "why",
                                     "SELECT hash, package, namespace, change IN ('recipe', "
                                     "'beside; recipe') FROM spec_reasons WHERE by_recipe = 1",
                                     {})
                               .rows) {
        ReasonRecipe& recipe = recipes[to_text(row[0])];
        recipe.can_be_cause = true;
        recipe.package = to_text(row[1]);
        if (!is_null(row[2])) {
            recipe.name_space = to_text(row[2]);
        }
        recipe.is_recipe_alone = integer(row[3]) != 0;
    }
    return recipes;
}

using RecipeName = std::pair<std::string, std::optional<std::string>>;

RecipeName name_of_recipe(const ReasonRecipe& recipe) {
    return {recipe.package, recipe.name_space};
}

/// Each recipe once, in the order of the reasons. It is alone in one reason if in any.
std::vector<ReasonRecipe> distinct_recipes(const WhyCommits& commits) {
    std::vector<ReasonRecipe> distinct;
    std::map<RecipeName, std::size_t> places;
    for (const ReasonRecipe& recipe : commits.recipes) {
        if (!recipe.can_be_cause) {
            continue;
        }
        const auto [place, is_new] = places.emplace(name_of_recipe(recipe), distinct.size());
        if (is_new) {
            distinct.push_back(recipe);
        } else if (recipe.is_recipe_alone) {
            distinct[place->second].is_recipe_alone = true;
        }
    }
    return distinct;
}

std::string words_of_none(const ReasonRecipe& recipe, const TimeBetween& time) {
    const RecipeTime& known = recipe.time;
    if (!known.has_recipe) {
        return fmt::format("the package repository has no recipe {}{}",
                           recipe.name_space ? *recipe.name_space + "." : "", recipe.package);
    }
    if (const auto uncovered = uncovered_words(known)) {
        return *uncovered;
    }
    return fmt::format(
        "no commit touched {} {}{}", recipe.package, time.words(),
        recipe.is_recipe_alone ? ": another version of the package repository was used" : "");
}

std::string words_of_recipe(const ReasonRecipe& recipe, const TimeBetween& time) {
    const auto& commits = recipe.time.commits;
    if (commits.empty()) {
        return words_of_none(recipe, time);
    }
    const std::string newest = commit_words(commits.back());
    return commits.size() == 1
               ? newest
               : fmt::format("{} commits, the newest {}",
                             grouped(static_cast<std::int64_t>(commits.size())), newest);
}

}  // namespace

std::optional<WhyCommits> read_commits(const SQLite::Database& database, const ResultTable& reasons,
                                       const TimeBetween& time) {
    if (!knows_commits(database)) {
        return std::nullopt;
    }
    const auto recipes = read_recipes(database);
    std::map<RecipeName, RecipeTime> times;
    WhyCommits commits{time, {}};
    for (const auto& row : reasons.rows) {
        const auto found = recipes.find(to_text(row.at(column_of(reasons, "hash"))));
        if (found == recipes.end()) {
            commits.recipes.emplace_back();
            continue;
        }
        ReasonRecipe recipe = found->second;
        const auto [known, is_new] = times.try_emplace(name_of_recipe(recipe));
        if (is_new) {
            known->second = recipe_in(database, recipe.package, recipe.name_space, time);
        }
        recipe.time = known->second;
        commits.recipes.push_back(std::move(recipe));
    }
    return commits;
}

DocumentPart part_of_commits(const WhyCommits& commits) {
    DocumentPart part;
    const auto recipes = distinct_recipes(commits);
    if (recipes.empty()) {
        return part;
    }
    part.title = "Commits that touched the recipes in that time (--commits lists them)";
    for (std::size_t i = 0; i < std::min(recipes.size(), most_recipes_named); ++i) {
        const std::string words = visible(words_of_recipe(recipes[i], commits.time));
        part.lines.push_back(
            {fmt::format("  {}:", visible(recipes[i].package)), split(words, ' ')});
    }
    if (recipes.size() > most_recipes_named) {
        const auto more = static_cast<std::int64_t>(recipes.size() - most_recipes_named);
        part.lines.push_back(
            {"  and", split("the recipes of " + counted(more, "more package"), ' ')});
    }
    return part;
}

ResultTable table_of_commits(const WhyCommits& commits) {
    ResultTable table{{"package", "commit", "committed_at", "subject"}, {}};
    for (const ReasonRecipe& recipe : distinct_recipes(commits)) {
        for (auto& row : commit_rows(recipe.time.commits).rows) {
            row.insert(row.begin(), recipe.package);
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

NestedRows reasons_with_commits(const ResultTable& reasons, const WhyCommits& commits) {
    NestedRows nested{reasons, "commits", {}};
    for (const ReasonRecipe& recipe : commits.recipes) {
        nested.lists.push_back(commit_rows(recipe.time.commits));
    }
    return nested;
}

std::optional<std::string> uncovered_remark(const WhyCommits& commits) {
    std::set<std::string> said;
    for (const ReasonRecipe& recipe : commits.recipes) {
        if (const auto uncovered = uncovered_words(recipe.time)) {
            said.insert(*uncovered);
        }
    }
    if (said.empty()) {
        return std::nullopt;
    }
    std::string sentence = *said.begin();
    sentence.front() = 'T';
    return fmt::format("{}{}: other commits may be missing.", sentence,
                       said.size() > 1 ? ", and for other packages in another time" : "");
}

}  // namespace cacheledger
