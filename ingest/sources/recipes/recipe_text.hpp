#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// A version of version("1.2", deprecated=True).
struct RecipeVersion {
    std::string text;
    std::optional<bool> is_deprecated;  ///< nullopt: it is computed
};

/// Which builds must not be redistributed.
struct RecipeRestriction {
    /// As in when="@1.2", with those of `with when(...)` around it; empty: all builds.
    std::string condition;
    bool is_spec = true;  ///< false: the condition has Python that is no plain string

    auto operator<=>(const RecipeRestriction&) const = default;
};

/// What the body of a class says.
struct RecipeClass {
    std::string name;                ///< empty: outside of classes
    std::vector<std::string> bases;  ///< as they are written
    std::vector<RecipeVersion> versions;
    bool has_other_versions = false;  ///< version(...) is called with what is no plain string
    std::vector<RecipeRestriction> restrictions;
};

/// What is read of a package.py, or of a module with classes for them.
struct RecipeText {
    std::vector<RecipeClass> classes;  ///< the first one is what is outside of classes
    /// Names that are imported from other recipes, and from what is no part of Spack.
    std::set<std::string> from_other_modules;
    std::set<std::string> from_near_modules;   ///< by a relative path: from .module import NAME
    std::set<std::string> from_build_systems;  ///< of others than those of Spack
};

/// Reads it as Python would, as far as calls with plain arguments go: not in comments and strings,
/// and not members of other things than spack.directives. What stands below `if` and `for` counts.
/// Contexts are `with when("@1.2"):` and `with default_args(deprecated=True):`.
RecipeText read_recipe_text(std::string_view python);

/// The versions that the text of a package.py has.
struct RecipeVersions {
    std::vector<std::string> versions;  ///< of version("1.2"), as they are written
    bool calls_version = false;         ///< whether version(...) is called at all
};

/// Those of all classes of read_recipe_text(). A version that is no plain string is left out.
RecipeVersions recipe_versions(std::string_view python);

/// Throws Problem if a recipe has so many bytes that it is not read.
void refuse_large_recipe(std::uintmax_t bytes);

}  // namespace cacheledger
