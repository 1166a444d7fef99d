#include "schema/ledger/names/moment.hpp"

#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

void moment(std::string_view text) {
    const auto parsed = parse_moment(text);
    if (!parsed) {
        return;
    }
    const std::string printed = format_moment(*parsed);
    require(printed.size() == std::string_view("2025-03-30T06:00:00Z").size(),
            "all moments are printed with the same length, so that their texts sort");
    require(parse_moment(printed) == parsed, "what is printed reads as the same moment");
}

}  // namespace cacheledger::fuzz
