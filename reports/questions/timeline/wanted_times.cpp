#include "reports/questions/timeline/wanted_times.hpp"

#include "schema/ledger/wishes/wanted_builds.hpp"

namespace cacheledger {

std::vector<std::string> hashes_of(const WantedNode& node) {
    std::vector<std::string> hashes = {node.spec.hash};
    if (node.spec.spliced && *node.spec.spliced != "no") {
        hashes.push_back(*node.spec.spliced);
    }
    return hashes;
}

std::vector<Stretch> stretches_of(const Timeline& timeline, const WantedNode& node) {
    return timeline.of_hashes(hashes_of(node));
}

MatchingSpecs BuildsOfLines::find(const WantedSpec& line) {
    const SpecQuery& query = line.query;
    return query.package && query.hash.empty()
               ? wanted_among(database_, line, memory_.of_package(*query.package), memory_)
               : matching_specs(database_, query);
}

}  // namespace cacheledger
