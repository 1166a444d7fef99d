#include "schema/specs/spelling/compiler.hpp"

#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

void compiler(std::string_view text) {
    std::optional<Compiler> parsed;
    try {
        parsed = parse_compiler(text);
    } catch (const std::invalid_argument&) {
        return;
    }
    if (!parsed) {
        require(text.substr(0, text.find('/')) == "none", "only none is no compiler");
        return;
    }
    const auto again = parse_compiler(parsed->spec);
    require(again && again->spec == parsed->spec && again->name == parsed->name &&
                again->version == parsed->version,
            "the canonical spelling reads as itself");
}

}  // namespace cacheledger::fuzz
