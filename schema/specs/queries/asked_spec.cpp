#include "schema/specs/queries/asked_spec.hpp"

#include <fmt/format.h>

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
        const std::string name = text.substr(0, text.find_first_of(" @+~%^=/"));
        if (name.find_first_of("*?[") != std::string::npos) {
            throw UsageError(fmt::format(
                "'{}': expected the name of one package; the command specs, and --package of diff, "
                "why and reports take a pattern",
                text));
        }
        throw UsageError(error.what());
    }
}

void refuse_unknown_targets(const SpecQuery& query) {
    try {
        require_known_targets(query, query.text());
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
