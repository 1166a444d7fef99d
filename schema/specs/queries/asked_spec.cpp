#include "schema/specs/queries/asked_spec.hpp"

#include "schema/errors/error.hpp"
#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

SpecQuery read_asked_spec(const std::string& text) {
    if (is_dag_hash(text)) {
        SpecQuery query;
        query.hash = text;
        return query;
    }
    try {
        return parse_spec(text);
    } catch (const SpecError& error) {
        throw UsageError(error.what());
    }
}

bool asks_only_hash(const SpecQuery& query) {
    SpecQuery only_hash;
    only_hash.hash = query.hash;
    return !query.hash.empty() && query == only_hash;
}

}  // namespace cacheledger
