#include "schema/spec_query/asked_spec.hpp"

#include "schema/basics/error.hpp"
#include "schema/constraints/spec_scanner.hpp"
#include "schema/spec_query/spec_parser.hpp"
#include "schema/spelling/dag_hash.hpp"

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
