#include "reports/engine/drift/needed_gone.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "reports/engine/drift/listed_graph.hpp"

namespace cacheledger {

namespace {

/// The builds of one package and version that are gone and needed.
struct GoneVersion {
    Value package, version;
    std::vector<std::uint32_t> builds;
    std::int64_t needed_by = 0;
};

// In the order of package and version.
std::vector<GoneVersion> versions_of(const ResultTable& removed, const SpecSet& needed) {
    std::vector<GoneVersion> all;
    for (const auto& row : removed.rows) {
        const auto spec = static_cast<std::uint32_t>(std::get<std::int64_t>(row[0]));
        if (!needed[spec]) {
            continue;
        }
        if (all.empty() || all.back().package != row[1] || all.back().version != row[2]) {
            all.push_back({row[1], row[2], {}});
        }
        all.back().builds.push_back(spec);
    }
    return all;
}

// Counts for 64 versions at a time: a bit for each goes up from dependencies to what needs them.
void count_needed_by(const ListedGraph& listed, const std::vector<std::uint32_t>& order,
                     std::span<GoneVersion> versions) {
    std::vector<std::uint64_t> needs(listed.graph.size());
    for (std::size_t i = 0; i < versions.size(); ++i) {
        for (const std::uint32_t spec : versions[i].builds) {
            needs[spec] |= std::uint64_t{1} << i;
        }
    }
    // One pass fills all. Only a file that lies has a circle, and needs more.
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (const std::uint32_t spec : order) {
            std::uint64_t more = needs[spec];
            for (const SpecGraph::Edge& edge : listed.graph.dependencies(spec)) {
                more |= listed.graph.is_runtime(edge) ? needs[edge.spec] : 0;
            }
            has_grown = has_grown || more != needs[spec];
            needs[spec] = more;
        }
    }
    for (const std::uint32_t spec : order) {
        for (std::uint64_t bits = listed.to[spec] ? needs[spec] : 0; bits != 0; bits &= bits - 1) {
            ++versions[static_cast<std::size_t>(__builtin_ctzll(bits))].needed_by;
        }
    }
}

}  // namespace

ResultTable needed_and_gone(const SQLite::Database& database, const PairDrift& drift,
                            const Arguments& arguments) {
    const ResultTable removed =
        run_query(database, "needed_gone", drift_text("removed"), arguments);
    ResultTable table{{"package", "version", "builds", "needed_by"}, {}};
    if (removed.rows.empty()) {
        return table;
    }
    const ListedGraph& listed = drift.listed();
    SpecSet needed = listed.to;
    reach_down(
        listed.graph, members(listed.to), needed,
        [&](std::uint32_t, const SpecGraph::Edge& edge) { return listed.graph.is_runtime(edge); });
    SpecSet gone = needed;
    for (const std::uint32_t spec : members(listed.to)) {
        gone[spec] = false;  // one that only left the stack is still there
    }
    std::vector<GoneVersion> versions = versions_of(removed, gone);
    constexpr std::size_t counted_at_once = 64;
    const std::vector<std::uint32_t> order =
        versions.empty() ? std::vector<std::uint32_t>() : dependencies_first(listed.graph, needed);
    for (std::size_t first = 0; first < versions.size(); first += counted_at_once) {
        count_needed_by(
            listed, order,
            std::span(versions).subspan(first, std::min(counted_at_once, versions.size() - first)));
    }
    std::ranges::stable_sort(versions, std::ranges::greater(), &GoneVersion::needed_by);
    for (GoneVersion& one : versions) {
        table.rows.push_back({std::move(one.package), std::move(one.version),
                              static_cast<std::int64_t>(one.builds.size()), one.needed_by});
    }
    return table;
}

}  // namespace cacheledger
