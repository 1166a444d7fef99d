#include "schema/specs/lists/concrete_spec.hpp"

#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

void make_concrete(SpecQuery& query) {
    query.version = query.version.exact();
    for (VariantQuery& variant : query.variants) {
        variant.is_exact = !variant.is_any;
        variant.is_propagated = false;
    }
    for (FlagsQuery& flags : query.flags) {
        flags.is_propagated = false;
    }
    for (DependencyQuery& dependency : query.dependencies) {
        make_concrete(dependency.spec);
    }
}

std::optional<std::string> hash_at_end(std::string_view text) {
    const std::size_t dash = text.rfind('-');
    const bool is_one_word = text.find_first_of(" @+~%^=") == std::string_view::npos;
    if (!is_one_word || dash == std::string_view::npos || !is_dag_hash(text.substr(dash + 1))) {
        return std::nullopt;
    }
    return std::string(text.substr(dash + 1));
}

}  // namespace cacheledger
