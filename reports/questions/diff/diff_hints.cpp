#include "reports/questions/diff/diff_hints.hpp"

#include <fmt/format.h>

#include "reports/engine/commits/recipe_commits.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_packages_hinted = 3;
constexpr std::size_t most_commits_hinted = 2;

// The packages whose builds all differ by the hash alone, or by how many look the same; those with
// most builds first. One that kept a build is none: what all builds have in common did not change.
constexpr const char* with_new_hashes_only =
    "SELECT k.name FROM (SELECT d.package_id, count(*) FILTER (WHERE d.change = 'removed') AS "
    "removed FROM stack_drift d WHERE d.from_snapshot = ?1 AND d.to_snapshot = ?2 AND d.stack "
    "IS NULL GROUP BY d.package_id HAVING min(d.cause IN ('rebuilt', 'copies')) = 1 AND "
    "max(d.cause = 'rebuilt') = 1) r "
    "CROSS JOIN package k USING (package_id) WHERE k.name GLOB ?3 AND r.removed = "
    "(SELECT count(*) FROM present_specs p WHERE p.snapshot = ?1 AND p.package_id = "
    "r.package_id) ORDER BY r.removed DESC, k.name";

std::string hint_words(const std::string& package, const std::vector<RecipeCommit>& commits) {
    std::vector<std::string> words;
    words.reserve(commits.size());
    for (const RecipeCommit& commit : commits) {
        words.push_back(commit_words(commit));
    }
    return fmt::format(
        "Hint: in that time, {} touched the recipe of {}, whose builds all have new hashes: {}",
        counted(static_cast<std::int64_t>(commits.size()), "commit"), package,
        listed(words, most_commits_hinted));
}

}  // namespace

std::vector<std::string> rebuilt_hints(const SQLite::Database& database, const Snapshot& from,
                                       const Snapshot& to, const std::string& package) {
    std::vector<std::string> hints;
    if (!knows_commits(database)) {
        return hints;
    }
    const TimeBetween time(from.taken_at, to.taken_at);
    std::int64_t more = 0;
    for (const auto& [name] :
         rows<std::string>(database, with_new_hashes_only, from.name, to.name, package)) {
        const auto commits = recipe_in(database, name, std::nullopt, time).commits;
        if (!commits.empty() && hints.size() < most_packages_hinted) {
            hints.push_back(hint_words(name, commits));
        } else if (!commits.empty()) {
            ++more;
        }
    }
    if (more > 0) {
        hints.push_back(
            fmt::format("Hint: commits also touched the {} of {} whose builds all have new hashes.",
                        words_for(more, "recipe"), counted(more, "more package")));
    }
    return hints;
}

}  // namespace cacheledger
