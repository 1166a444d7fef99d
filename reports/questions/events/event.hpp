#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/commits/recipe_commits.hpp"

namespace cacheledger {

/// What is before and after, of one cause: the versions that went and that came.
struct BeforeAndAfter {
    std::vector<std::string> before, after;
    std::int64_t added = 0;
    std::int64_t removed = 0;
};

/// How many builds of a package came and went.
struct PackageCounts {
    std::string package;
    std::int64_t came = 0, went = 0;
};

/// What happened to a stack as a whole, when builds of it came and went.
struct StackMarks {
    bool is_born = false;    ///< its first builds, and the series has earlier snapshots
    bool is_back = false;    ///< builds again, after there were none
    bool is_off = false;     ///< no builds any more
    std::string renamed;     ///< with one of these: the stack whose name it had, or has now
    std::int64_t moved = 0;  ///< how many builds only changed that name
    std::vector<std::string> packages_gained, packages_lost;
    std::vector<std::string> compilers_gained, compilers_lost;
    std::vector<std::string> targets_gained, targets_lost;
    std::vector<std::string> wishes_met, wishes_lost;  ///< of the list in force
};

/// What happened at one snapshot to some specs, of one package or of any.
struct HistoryEvent {
    enum Kind {
        start,   ///< the first snapshot of the series that observed the package has them
        change,  ///< compared with the snapshot before
        still,   ///< nothing happened: they are in the newest snapshot
        recipe,  ///< no snapshot: commits touched the recipe of the package
    };
    Kind kind = change;
    std::string snapshot, taken_at, series;  ///< the moment may be that of the newest commit
    std::int64_t moment = 0;                 ///< of a snapshot: taken_at, in seconds since 1970
    std::string package;      ///< empty: they are of any packages, which `packages` tells apart
    std::int64_t builds = 0;  ///< how many of them the snapshot has
    std::int64_t added = 0;   ///< those that came, and that went
    std::int64_t removed = 0;
    bool was_there = false;  ///< an earlier snapshot of the series had some of them
    bool is_of_one = false;  ///< of one hash

    std::vector<std::string> versions;  ///< of those that came, in natural order
    // By cause of drift (schema/sql/views/stack_drift.sql).
    std::int64_t package_added = 0, package_removed = 0;
    BeforeAndAfter version, target, compiler;
    std::vector<std::string> options;  ///< "mpi: true -> false", as drift/variants says
    std::int64_t variants_added = 0, variants_removed = 0;
    std::int64_t rebuilt = 0;
    std::int64_t copies_added = 0, copies_removed = 0;
    std::map<std::string, std::int64_t> joined, left;  ///< specs, by stack

    // Of any packages. The causes above are then not told.
    std::vector<PackageCounts> packages;  ///< those that changed, most builds first
    std::int64_t unknown = 0;             ///< of `added`: whether they are new is not known
    std::optional<StackMarks> stack{};    ///< they are all builds of a stack

    std::vector<RecipeCommit> commits;  ///< of the kind `recipe`, from old to new
};

/// What happened, in words: "4.4.01 -> 4.2.01 (3 removed, 3 added), 2 rebuilt". `most`: how many
/// names of versions, stacks and so on are listed; of more, their number.
std::string event_words(const HistoryEvent& event, std::size_t most);

/// "+mpi -> ~mpi" for "mpi: true -> false"; other texts of drift/variants as they are.
std::string option_words(const std::string& option);

/// "4.4.01 -> 4.2.01", "-> 4.2.01" if nothing went, "4.4.01 ->" if nothing came, empty for neither.
std::string arrow(const BeforeAndAfter& both, std::size_t most);

}  // namespace cacheledger
