#include "reports/questions/keep/runtime_graph.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr auto stand_ins =
    "SELECT x.spec_id, b.spec_id FROM node n CROSS JOIN spec x USING (spec_id) "
    "CROSS JOIN spec b ON b.hash = n.build_hash WHERE n.build_hash IS NOT NULL";

// The specs that the cache has, or those that it will have.
SpecSet specs_of_cache(const SeenSpecs& seen, bool only_kept, SpecSet none) {
    for (const PastSpec& spec : seen.specs()) {
        if (spec.is_kept || !only_kept) {
            add_spec(none, spec.spec_id);
        }
    }
    return none;
}

// By package and hash.
std::vector<std::uint32_t> sorted_by_name(const SQLite::Database& database, const SpecSet& specs) {
    const Select<std::string, std::string> words(
        database,
        "SELECT k.name, x.hash FROM spec x JOIN look USING (look_id) "
        "JOIN package k USING (package_id) WHERE x.spec_id = ?");
    std::vector<std::tuple<std::string, std::string, std::uint32_t>> sorted;
    for (const std::uint32_t spec : members(specs)) {
        for (auto&& [package, hash] : words(spec)) {
            sorted.emplace_back(std::move(package), std::move(hash), spec);
        }
    }
    std::ranges::sort(sorted);
    std::vector<std::uint32_t> all;
    all.reserve(sorted.size());
    for (const auto& [package, hash, spec] : sorted) {
        all.push_back(spec);
    }
    return all;
}

}  // namespace

RuntimeGraph::RuntimeGraph(const SQLite::Database& database, const SeenSpecs& seen)
    : graph_(database, specs_of_cache(seen, false, SpecSet(number_of_places(database)))),
      externals_(external_specs(database)),
      built_(rows<std::uint32_t, std::uint32_t>(database, stand_ins).to<decltype(built_)>()) {}

// All that kept specs need, directly or not.
SpecSet RuntimeGraph::reached(const SeenSpecs& seen) const {
    SpecSet met = graph_.no_specs();
    walk(
        members(specs_of_cache(seen, true, met)), met,
        [&](std::uint32_t spec) { return graph_.dependencies(spec); }, graph_.runtime(),
        [](std::uint32_t) {});
    return met;
}

// Of those, what the cache has, or a stand-in for it, and will not have any more.
SpecSet RuntimeGraph::lost(const SeenSpecs& seen) const {
    const SpecSet were = specs_of_cache(seen, false, graph_.no_specs());
    const SpecSet are = specs_of_cache(seen, true, graph_.no_specs());
    SpecSet were_there = were;
    SpecSet are_there = are;
    for (const auto& [spliced, built] : built_) {
        were_there[spliced] = were_there[spliced] || were[built];
        are_there[spliced] = are_there[spliced] || are[built];
    }
    SpecSet lost = reached(seen);
    for (const std::uint32_t spec : members(lost)) {
        lost[spec] = were_there[spec] && !are_there[spec] && !externals_[spec];
    }
    return lost;
}

SpecSet RuntimeGraph::with_stand_ins(SpecSet specs) const {
    const SpecSet own = specs;
    for (const auto& [spliced, built] : built_) {
        specs[built] = specs[built] || own[spliced];
    }
    return specs;
}

std::int64_t RuntimeGraph::keep_needed(SeenSpecs& seen) const {
    std::int64_t all = 0;
    // What was built for a spliced spec needs something, too, once it is kept.
    for (std::int64_t more = 1; more > 0; all += more) {
        SpecSet needed = reached(seen);
        for (const std::uint32_t spec : members(needed)) {
            needed[spec] = !externals_[spec];
        }
        needed = with_stand_ins(std::move(needed));
        more = 0;
        for (PastSpec& spec : seen.specs()) {
            if (!spec.is_kept && !spec.is_dropped && has_spec(needed, spec.spec_id)) {
                spec.is_kept = true;
                ++more;
            }
        }
    }
    return all;
}

SpecSet RuntimeGraph::needed(const SeenSpecs& seen) const {
    return with_stand_ins(lost(seen));
}

std::vector<BrokenSpec> RuntimeGraph::broken(const SQLite::Database& database,
                                             const SeenSpecs& seen) const {
    const SpecSet kept = specs_of_cache(seen, true, graph_.no_specs());
    SpecSet met = lost(seen);
    const std::vector<std::uint32_t> starts = sorted_by_name(database, met);
    std::vector<std::size_t> ranks(graph_.size(), starts.size());
    std::vector<BrokenSpec> broken;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        ranks[starts[i]] = i;
        walk(
            {starts[i]}, met, [&](std::uint32_t spec) { return graph_.dependents(spec); },
            graph_.runtime(),
            [&](std::uint32_t above) {
                if (kept[above]) {
                    broken.push_back({above, starts[i], false});
                }
            });
    }
    for (BrokenSpec& one : broken) {  // what it needs itself is named before what others need
        std::size_t first = starts.size();
        for (const SpecGraph::Edge& edge : graph_.dependencies(one.spec_id)) {
            first = std::min(first, graph_.is_runtime(edge) ? ranks[edge.spec] : first);
        }
        if (first < starts.size()) {
            one.lost_id = starts[first];
            one.is_direct = true;
        }
    }
    return broken;
}

}  // namespace cacheledger
