#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// What a diff says of a package. The later ones tell more of its hashes.
enum class DiffedRecipe {
    version,     ///< it only adds versions to the recipe
    other_file,  ///< a file of its folder that is no recipe: in hashes only if it is a patch
    recipe,      ///< the recipe, or a file that is named like a patch
};

struct RecipesOfDiff {
    std::map<std::string, DiffedRecipe> packages;
    std::set<std::string> others;  ///< files that are in no folder of a package
};

/// What a diff of a package repository touches, as `git diff` prints it. Spack hashes a package's
/// own package.py and the patches that it applies (spack/package_base.py, content_hash), and no
/// class or module that the recipe imports. `name`: what messages call the diff. Throws InputError
/// if it is no diff.
RecipesOfDiff recipes_of_diff(std::string_view diff, const std::string& name);

/// So many characters of a subject are kept.
inline constexpr std::size_t most_subject_characters = 120;

/// What is kept of the first line of a commit's message, which is a stranger's text: valid UTF-8
/// (other bytes become U+FFFD) without control characters, cut. Addresses of people, and the name
/// in "Merge pull request #1 from NAME/branch", are left out.
std::string clean_subject(std::string_view line);

/// The versions that a commit of this package alone adds, by its subject: "caliper: add v2.15.0",
/// "ack: add v2.28 and v3.9.0". Nothing where it may mean another thing.
std::vector<std::string> versions_of_subject(std::string_view subject, std::string_view package);

}  // namespace cacheledger
