#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

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

}  // namespace cacheledger
