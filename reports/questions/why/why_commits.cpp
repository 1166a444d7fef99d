#include "reports/questions/why/why_commits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_recipes_named = 10;
constexpr std::size_t most_names_of_none = 5;

/// The reasons that a recipe can explain, by their smallest hash.
std::map<std::string, ReasonRecipe> read_recipes(const SQLite::Database& database) {
    std::map<std::string, ReasonRecipe> recipes;
    for (auto&& [hash, package, name_space, is_alone] :
         rows<std::string, std::string, std::optional<std::string>, bool>(
             database,
             "SELECT hash, package, namespace, change IN ('recipe', 'patches; recipe', "
             "'beside; recipe', 'beside; patches; recipe') FROM spec_reasons WHERE by_recipe = "
             "1")) {
        ReasonRecipe& recipe = recipes[hash];
        recipe.can_be_cause = true;
        recipe.package = std::move(package);
        recipe.name_space = std::move(name_space);
        recipe.is_recipe_alone = is_alone;
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

std::string words_of_recipe(const std::vector<RecipeCommit>& commits) {
    const std::string newest = commit_words(commits.back());
    return commits.size() == 1
               ? newest
               : fmt::format("{} commits, the newest {}",
                             grouped(static_cast<std::int64_t>(commits.size())), newest);
}

/// What is said of recipes without commits, before and behind their names.
using WordsOfNone = std::pair<std::string, std::string>;

WordsOfNone words_of_none(const ReasonRecipe& recipe, const TimeBetween& time) {
    if (!recipe.time.has_recipe) {
        return {"the package repository has no recipe of", ""};
    }
    if (const auto uncovered = uncovered_words(recipe.time)) {
        return {"no commit is known of", fmt::format(": {}", *uncovered)};
    }
    return {"no commit touched",
            fmt::format(" {}{}", time.words(),
                        recipe.is_recipe_alone
                            ? ", but the builds before and after have different recipes"
                            : "")};
}

/// A recipe that no repository has may have one in another namespace.
std::string name_of_none(const ReasonRecipe& recipe) {
    return recipe.time.has_recipe || !recipe.name_space
               ? recipe.package
               : fmt::format("{}.{}", *recipe.name_space, recipe.package);
}

/// A line for all recipes of which the same is said, in the order of the first ones.
std::vector<std::string> lines_of_none(const std::vector<ReasonRecipe>& recipes,
                                       const TimeBetween& time) {
    std::vector<std::pair<WordsOfNone, std::vector<std::string>>> groups;
    for (const ReasonRecipe& recipe : recipes) {
        if (!recipe.time.commits.empty()) {
            continue;
        }
        const WordsOfNone words = words_of_none(recipe, time);
        auto group = std::ranges::find(groups, words, [](const auto& one) { return one.first; });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {words, {}});
        }
        group->second.push_back(name_of_none(recipe));
    }
    std::vector<std::string> lines;
    lines.reserve(groups.size());
    for (const auto& [words, names] : groups) {
        lines.push_back(
            fmt::format("{} {}{}", words.first, listed(names, most_names_of_none), words.second));
    }
    return lines;
}

LabelledWords line_of(const std::string& label, const std::string& text) {
    return {label, split(visible(text), ' ')};
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
    part.title = "Commits that touched the recipes in that time (report drift/commits lists them)";
    std::size_t touched = 0;
    for (const ReasonRecipe& recipe : recipes) {
        if (!recipe.time.commits.empty() && ++touched <= most_recipes_named) {
            part.lines.push_back(line_of(fmt::format("  {}:", visible(recipe.package)),
                                         words_of_recipe(recipe.time.commits)));
        }
    }
    if (touched > most_recipes_named) {
        const auto more = static_cast<std::int64_t>(touched - most_recipes_named);
        part.lines.push_back(line_of(" ", "and those of " + counted(more, "more recipe")));
    }
    for (const std::string& line : lines_of_none(recipes, commits.time)) {
        part.lines.push_back(line_of(" ", line));
    }
    return part;
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
