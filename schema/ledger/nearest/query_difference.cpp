#include "schema/ledger/nearest/query_difference.hpp"

#include "schema/ledger/nearest/dependency_words.hpp"

namespace cacheledger {

Difference QueryDifference::measure(std::int64_t spec_id, const SpecWords& spec) {
    return compare(spec_id, spec, false);
}

Difference QueryDifference::explain(std::int64_t spec_id, const SpecWords& spec) {
    return compare(spec_id, spec, true);
}

Difference QueryDifference::compare(std::int64_t spec_id, const SpecWords& spec, bool with_words) {
    std::vector<DependencyAnswer> dependencies;
    for (std::size_t i = 0; i < query_.dependencies.size(); ++i) {
        const Answer answer = answers_.answer(i, spec_id, spec.compiler);
        dependencies.push_back({answer, ""});
        if (with_words && answer != Answer::yes) {
            dependencies.back().words =
                dependency_words(database_, query_.dependencies[i], answer, spec_id, spec);
        }
    }
    return difference(query_, spec, dependencies);
}

}  // namespace cacheledger
