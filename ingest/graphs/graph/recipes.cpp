#include "ingest/graphs/graph/recipes.hpp"

#include <string_view>
#include <utility>

namespace cacheledger {

namespace {

// A value that is not said is not an empty one. No text ends in another's beginning, as each says
// how long it is.
std::string recipe_text(const Recipe& recipe) {
    std::string text = recipe.external ? "external" : "";
    for (const auto* const value :
         {&recipe.name_space, &recipe.package_hash, &recipe.flags, &recipe.patches,
          &recipe.external_path, &recipe.external_modules}) {
        text += '\n';
        if (*value) {
            text += std::to_string((*value)->size()) + ':' + **value;
        }
    }
    return text;
}

}  // namespace

const Shared<Recipe>* Recipes::operator()(Recipe recipe) {
    recipe.text = recipe_text(recipe);
    auto& known = known_[recipe.text];
    if (known == nullptr) {
        known = std::make_unique<const Shared<Recipe>>(
            Shared<Recipe>{std::move(recipe), known_.size() - 1});
    }
    return known.get();
}

}  // namespace cacheledger
