#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>
#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/moment.hpp"

/// What package repositories say of recipes between two moments.
namespace cacheledger {

/// A commit that touched the recipe of a package.
struct RecipeCommit {
    std::string commit_id;  ///< 40 hex digits
    Moment committed_at = 0;
    std::string subject;  ///< a stranger's text
};

/// A time that does not contain its first moment, and contains its last one. The order in which
/// the two were given does not matter.
struct TimeBetween {
    Moment first = 0, last = 0;

    TimeBetween(Moment one, Moment other);

    /// "from 2025-12-10 to 2025-12-17"; with hours and minutes if that is one day.
    std::string words() const;
};

/// What is known of one recipe in such a time.
struct RecipeTime {
    std::vector<RecipeCommit> commits;  ///< oldest first
    bool has_recipe = false;            ///< a repository has, or had, this recipe
    /// Set if the repository of the recipe is known only from that moment on, or only up to that
    /// moment, and so not in the whole time.
    std::optional<Moment> known_from, known_to;

    bool is_covered() const { return has_recipe && !known_from && !known_to; }
};

/// Whether the ledger has commits of a package repository. If not, nothing is to be said of them.
bool knows_commits(const SQLite::Database& database);

/// The commits that touched the recipe of the package in that time. `name_space`: of that
/// repository (`builtin`); nullopt: of any. Throws SQLite::Exception.
RecipeTime recipe_in(const SQLite::Database& database, const std::string& package,
                     const std::optional<std::string>& name_space, const TimeBetween& time);

/// What the commits do not say, as a clause: "the package repository is known to 2026-07-01 only";
/// nullopt if it is known in the whole time, or does not have the recipe.
std::optional<std::string> uncovered_words(const RecipeTime& recipe);

/// The first digits of its id.
std::string short_commit(const RecipeCommit& commit);

/// The first digits of a commit's id, its date and its subject: `3f2c1a9 2025-12-15 "gmake: ..."`.
std::string commit_words(const RecipeCommit& commit);

/// The commits as rows: commit, committed_at, subject.
ResultTable commit_rows(const std::vector<RecipeCommit>& commits);

}  // namespace cacheledger
