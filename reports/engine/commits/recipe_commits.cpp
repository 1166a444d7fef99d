#include "reports/engine/commits/recipe_commits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/engine/query/run_query.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t length_of_commit_date = 10;    // "2025-12-15"
constexpr std::size_t length_of_commit_minute = 16;  // "2025-12-15T06:00"
constexpr std::size_t shown_digits = 7;

// The first commit of a repository touches all that it has: what it changed is not known.
constexpr const char* commits_in_time =
    "SELECT DISTINCT c.recipe_commit_id, lower(hex(c.commit_id)), c.committed_at, c.subject "
    "FROM recipe_package k CROSS JOIN recipe_change x USING (recipe_package_id) "
    "CROSS JOIN recipe_commit c USING (recipe_commit_id) "
    "CROSS JOIN package_repository r USING (package_repository_id) "
    "WHERE k.name = :package AND (:namespace IS NULL OR k.namespace = :namespace) "
    "AND c.committed_at > r.first_at AND c.committed_at > :first AND c.committed_at <= :last "
    "ORDER BY c.committed_at, c.recipe_commit_id";

// Of the repositories that have the recipe, the one that is known in the longest part of the time.
constexpr const char* best_repository =
    "SELECT first_at, head_at FROM package_repository WHERE package_repository_id IN ("
    "SELECT c.package_repository_id FROM recipe_package k CROSS JOIN recipe_change x "
    "USING (recipe_package_id) CROSS JOIN recipe_commit c USING (recipe_commit_id) "
    "WHERE k.name = :package AND (:namespace IS NULL OR k.namespace = :namespace)) "
    "ORDER BY min(head_at, :last) - max(first_at, :first) DESC, head_at DESC LIMIT 1";

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
    return query_number(database, "commits", "SELECT EXISTS (SELECT 1 FROM recipe_commit)") != 0;
}

RecipeTime recipe_in(const SQLite::Database& database, const std::string& package,
                     const std::optional<std::string>& name_space, const TimeBetween& time) {
    const Arguments arguments = {{"package", package},
                                 {"namespace", name_space ? Value(*name_space) : Value()},
                                 {"first", time.first},
                                 {"last", time.last}};
    RecipeTime recipe;
    for (const auto& row : run_query(database, "commits", commits_in_time, arguments).rows) {
        recipe.commits.push_back({to_text(row[1]), integer(row[2]), to_text(row[3])});
    }
    const auto known = run_query(database, "commits", best_repository, arguments).rows;
    if (known.empty()) {
        return recipe;
    }
    recipe.has_recipe = true;
    if (const Moment from = integer(known[0][0]); from > time.first) {
        recipe.known_from = from;
    }
    if (const Moment to = integer(known[0][1]); to < time.last) {
        recipe.known_to = to;
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
