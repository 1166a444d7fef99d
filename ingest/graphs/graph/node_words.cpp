#include "ingest/graphs/graph/node_words.hpp"

#include <optional>
#include <string>

#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

namespace {

std::string external_text(const Recipe& recipe) {
    if (!recipe.external) {
        return "no";
    }
    return recipe.external_path ? *recipe.external_path : recipe.external_modules.value_or("yes");
}

}  // namespace

SpecWords words_of(const Node& node) {
    SpecWords words;
    words.package = node.package->text;
    words.hash = std::string(text_of(node.hash));
    words.version = text_of_shared(node.version);
    words.variants = text_of_shared(node.variants);
    if (node.arch != nullptr) {
        words.platform = node.arch->platform;
        words.os = node.arch->os;
        words.target = node.arch->target;
    }
    if (node.compiler != nullptr) {
        words.compiler = node.compiler->spec;
    }
    if (node.is_described()) {
        words.name_space = node.recipe->name_space;
        words.package_hash = node.recipe->package_hash;
        words.flags = node.recipe->flags;
        words.patches = node.recipe->patches;
        words.external = external_text(*node.recipe);
        words.spliced = node.build_hash ? std::string(text_of(*node.build_hash)) : "no";
    }
    return words;
}

}  // namespace cacheledger
