#include "reports/engine/catalog/former_specs.hpp"

#include <fmt/format.h>

#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

void FormerSpecs::ask(const std::string& typed, const SpecQuery& query, const std::string& name,
                      const std::string& packages) {
    const auto former = parse_as_before_1_0(typed);
    if (!former || parse_spec(typed) != query) {
        return;
    }
    const MatchingSpecs matching = snapshot_id_
                                       ? matching_specs(database_, *snapshot_id_, *former, packages)
                                       : matching_specs(database_, *former);
    if (matching.specs.empty() || ++found_ > 1) {
        return;
    }
    first_ = fmt::format(
        "{} asked for '{}{}', which {}", name, packages == "*" ? "" : packages + " ",
        former->text(),
        counted(static_cast<std::int64_t>(matching.specs.size()), "build matches", "builds match"));
}

std::optional<std::string> FormerSpecs::remark() const {
    if (found_ == 0) {
        return std::nullopt;
    }
    const std::string more =
        found_ == 1 ? "" : fmt::format("; so it was with {}", counted(found_ - 1, "more spec"));
    return fmt::format("Before Spack 1.0 {}{}.", first_, more);
}

}  // namespace cacheledger
