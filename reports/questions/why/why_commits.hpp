#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>
#include <string>
#include <vector>

#include "reports/engine/commits/recipe_commits.hpp"
#include "reports/render/document/document.hpp"

namespace cacheledger {

/// The recipe that may have caused a reason, and its commits in the time that is asked.
struct ReasonRecipe {
    bool can_be_cause = false;  ///< else the reason is of another kind, and the rest is empty
    std::string package;
    std::optional<std::string> name_space;
    bool is_recipe_alone = false;  ///< nothing but the recipe, with its patches, differs
    RecipeTime time;
};

/// What package repositories say of the reasons between two snapshots.
struct WhyCommits {
    TimeBetween time;
    std::vector<ReasonRecipe> recipes;  ///< for each row of Why::reasons
};

/// The commits for these reasons, while the connection has their view spec_reasons; nullopt if the
/// ledger has no commits. `reasons`: Why::reasons.
std::optional<WhyCommits> read_commits(const SQLite::Database& database, const ResultTable& reasons,
                                       const TimeBetween& time);

/// A line for each recipe that may be a cause and was touched, those of the first reasons; then
/// what is to be said of the others. No lines if no recipe may be a cause.
DocumentPart part_of_commits(const WhyCommits& commits);

/// The reasons with the member `commits` of each. It is empty if no recipe can be the cause.
NestedRows reasons_with_commits(const ResultTable& reasons, const WhyCommits& commits);

/// What the repositories do not say of the time, in a sentence; nullopt if they say all.
std::optional<std::string> uncovered_remark(const WhyCommits& commits);

}  // namespace cacheledger
