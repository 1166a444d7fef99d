#include "reports/engine/commits/recipe_commits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t length_of_commit_date = 10;    // "2025-12-15"
constexpr std::size_t length_of_commit_minute = 16;  // "2025-12-15T06:00"
constexpr std::size_t shown_digits = 7;

// The first commit of a repository touches all that it has: what it changed is not known.
constexpr const char* commits_in_time =
    "SELECT DISTINCT lower(hex(c.commit_id)), c.committed_at, c.subject, c.recipe_commit_id "
    "FROM recipe_package k CROSS JOIN recipe_change x USING (recipe_package_id) "
    "CROSS JOIN recipe_commit c USING (recipe_commit_id) "
    "CROSS JOIN package_repository r USING (package_repository_id) "
    "WHERE k.name = ?1 AND (?2 IS NULL OR k.namespace = ?2) "
    "AND c.committed_at > r.first_at AND c.committed_at > ?3 AND c.committed_at <= ?4 "
    "ORDER BY c.committed_at, c.recipe_commit_id";

// Of the repositories that have the recipe, the one that is known in the longest part of the time.
constexpr const char* best_repository =
    "SELECT first_at, head_at FROM package_repository WHERE package_repository_id IN ("
    "SELECT c.package_repository_id FROM recipe_package k CROSS JOIN recipe_change x "
    "USING (recipe_package_id) CROSS JOIN recipe_commit c USING (recipe_commit_id) "
    "WHERE k.name = ?1 AND (?2 IS NULL OR k.namespace = ?2)) "
    "ORDER BY min(head_at, ?4) - max(first_at, ?3) DESC, head_at DESC LIMIT 1";

std::string date_words(Moment moment) {
    return format_moment(moment).substr(0, length_of_commit_date);
}

}  // namespace

TimeBetween::TimeBetween(Moment one, Moment other)
    : first(std::min(one, other)), last(std::max(one, other)) {}

std::string TimeBetween::words() const {
    const std::size_t length =
        date_words(first) == date_words(last) ? length_of_commit_minute : length_of_commit_date;
    return fmt::format("from {} to {}", format_moment(first).substr(0, length),
                       format_moment(last).substr(0, length));
}

bool knows_commits(const SQLite::Database& database) {
    return only_value<bool>(database, "SELECT EXISTS (SELECT 1 FROM recipe_commit)");
}

RecipeTime recipe_in(const SQLite::Database& database, const std::string& package,
                     const std::optional<std::string>& name_space, const TimeBetween& time) {
    RecipeTime recipe;
    for (auto&& [commit, committed_at, subject, id] :
         rows<std::string, Moment, std::string, std::int64_t>(database, commits_in_time, package,
                                                              name_space, time.first, time.last)) {
        recipe.commits.push_back({std::move(commit), committed_at, std::move(subject)});
    }
    for (const auto& [from, to] : rows<Moment, Moment>(database, best_repository, package,
                                                       name_space, time.first, time.last)) {
        recipe.has_recipe = true;
        recipe.known_from = from > time.first ? std::optional(from) : std::nullopt;
        recipe.known_to = to < time.last ? std::optional(to) : std::nullopt;
    }
    return recipe;
}

std::optional<std::string> uncovered_words(const RecipeTime& recipe) {
    constexpr const char* is_known = "the package repository is known";
    if (recipe.known_from && recipe.known_to) {
        return fmt::format("{} from {} to {} only", is_known, date_words(*recipe.known_from),
                           date_words(*recipe.known_to));
    }
    if (recipe.known_from) {
        return fmt::format("{} from {} on only", is_known, date_words(*recipe.known_from));
    }
    if (recipe.known_to) {
        return fmt::format("{} to {} only", is_known, date_words(*recipe.known_to));
    }
    return std::nullopt;
}

std::string short_commit(const RecipeCommit& commit) {
    return commit.commit_id.substr(0, shown_digits);
}

std::string commit_words(const RecipeCommit& commit) {
    return fmt::format("{} {} \"{}\"", short_commit(commit), date_words(commit.committed_at),
                       commit.subject);
}

ResultTable commit_rows(const std::vector<RecipeCommit>& commits) {
    ResultTable table{{"commit", "committed_at", "subject"}, {}};
    for (const RecipeCommit& commit : commits) {
        table.rows.push_back(
            {commit.commit_id, format_moment(commit.committed_at), commit.subject});
    }
    return table;
}

}  // namespace cacheledger
