#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

void check(const SpecQuery& query) {
    const std::string text = query.text();
    const SpecQuery again = parse_spec(text);
    require(again.text() == text, "the canonical spelling reads as itself");
    require(matches(again, {}) == matches(query, {}), "and asks the same");
    for (const VariantQuery& variant : query.variants) {
        require(has_values(variant, &variant.values) || variant.is_any,
                "a variant has the values that it asks for");
    }
}

}  // namespace

void spec(std::string_view text) {
    try {
        check(parse_spec(text));
        check(parse_spec(text, SpecSyntax::before_1_0));
    } catch (const SpecError& error) {
        require(error.column() >= 1 && error.column() <= text.size() + 1,
                "a problem has a place in the text");
        require(!error.problem().empty(), "and says what was expected");
    }
}

}  // namespace cacheledger::fuzz
