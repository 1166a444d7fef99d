#include "schema/ledger/names/tag.hpp"

#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

void tag(std::string_view text) {
    constexpr Moment any_moment = 1743314400;
    const bool is_tag = !tag_problem(text).has_value();
    const auto moment = moment_of_tag(text);
    const std::string series = series_of_tag(text);
    const std::string name = snapshot_name(text, any_moment);
    require(name.starts_with(text), "a snapshot is named after its tag");
    require(moment.has_value() == (name == text), "a dated tag is the name of its snapshot");
    if (is_tag) {
        require(moment.has_value() == series.ends_with('*'), "a dated tag is one of its series");
        require(series_of_tag(series) == series, "the series of a series is itself");
        require(moment || name.substr(text.size()) == "@2025-03-30T06:00:00Z",
                "other snapshots are named by tag and moment");
    }
}

}  // namespace cacheledger::fuzz
