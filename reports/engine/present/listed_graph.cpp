#include "reports/engine/present/listed_graph.hpp"

#include <utility>

#include "reports/engine/present/snapshot_specs.hpp"

namespace cacheledger {

ListedGraph PairReading::with_graph(SpecSet from, SpecSet to) {
    SpecSet both = from;
    for (const std::uint32_t spec : members(to)) {
        both[spec] = true;
    }
    if (graph_) {
        graph_->add(database_, both);
    } else {
        graph_.emplace(database_, both);
    }
    return {std::move(from), std::move(to), *graph_};
}

const SpecSet& PairReading::listed_by(const std::string& snapshot) {
    const auto [place, is_new] = listed_.try_emplace(snapshot);
    if (is_new) {
        place->second = specs_of_snapshot(database_, snapshot).specs;
    }
    return place->second;
}

ListedGraph PairReading::between_snapshots(const std::string& from, const std::string& to) {
    return with_graph(listed_by(from), listed_by(to));
}

ListedGraph PairReading::between_specs(const std::string& from, const std::string& to) {
    const auto with_hash = [&](const std::string& hash) {
        return specs_of_query(database_, "why", "SELECT spec_id FROM spec WHERE hash = :hash",
                              {{"hash", hash}});
    };
    return with_graph(with_hash(from), with_hash(to));
}

}  // namespace cacheledger
