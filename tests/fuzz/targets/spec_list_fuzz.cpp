#include "schema/errors/error.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

void spec_list(std::string_view text) {
    SpecList list;
    try {
        list = read_spec_list(text, "list");
    } catch (const InputError& error) {
        for (const std::string& problem : error.problems()) {
            require(problem.starts_with("list:"), "a problem opens with the list");
            require(problem.size() < 1000, "and quotes little of it");
        }
        return;
    }
    require(!list.specs.empty() || list.external > 0, "a list has a spec");
    std::size_t line = 0;
    for (const WantedSpec& wanted : list.specs) {
        require(wanted.line >= line && wanted.line > 0, "specs are in the order of lines");
        require(!wanted.text.empty(), "a spec has a text");
        require(!wanted.is_named || !wanted.query.hash.empty(), "what is named has a hash");
        line = wanted.line;
        require(parse_spec(wanted.query.text()).text() == wanted.query.text(),
                "the canonical spelling reads as itself");
        require(!wanted.asked().text().empty(), "something is asked of a build");
    }
}

}  // namespace cacheledger::fuzz
