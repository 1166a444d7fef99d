#include "schema/basics/error.hpp"
#include "schema/spec_query/spec_list.hpp"
#include "schema/spec_query/spec_parser.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

void spec_list(std::string_view text) {
    std::vector<WantedSpec> specs;
    try {
        specs = read_spec_list(text, "list");
    } catch (const InputError& error) {
        for (const std::string& problem : error.problems()) {
            require(problem.starts_with("list:"), "a problem opens with the list");
        }
        return;
    }
    std::size_t line = 0;
    for (const WantedSpec& wanted : specs) {
        require(wanted.line >= line && wanted.line > 0, "specs are in the order of lines");
        require(!wanted.text.empty(), "a spec has a text");
        require(text.find(wanted.text) != std::string_view::npos, "which is in the list");
        line = wanted.line;
        require(parse_spec(wanted.query.text()).text() == wanted.query.text(),
                "the canonical spelling reads as itself");
    }
}

}  // namespace cacheledger::fuzz
