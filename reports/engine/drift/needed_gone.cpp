#include "reports/engine/drift/needed_gone.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "reports/engine/present/listed_graph.hpp"
#include "schema/ledger/graph/needed_by.hpp"

namespace cacheledger {

namespace {

/// The builds that are gone and needed, by package and version, and in this order.
struct GoneVersions {
    std::vector<std::pair<Value, Value>> names;
    std::vector<std::vector<std::uint32_t>> builds;
};

GoneVersions versions_of(const ResultTable& removed) {
    GoneVersions all;
    for (const auto& row : removed.rows) {
        const auto spec = static_cast<std::uint32_t>(std::get<std::int64_t>(row[0]));
        if (std::pair name(row[1], row[2]); all.names.empty() || all.names.back() != name) {
            all.names.push_back(std::move(name));
            all.builds.emplace_back();
        }
        all.builds.back().push_back(spec);
    }
    return all;
}

}  // namespace

ResultTable needed_and_gone(const SQLite::Database& database, const PairDrift& drift,
                            const Arguments& arguments) {
    ResultTable table{{"package", "version", "builds", "needed_by"}, {}};
    const ListedGraph& listed = drift.listed();
    const SpecSet needed = with_dependencies(listed.graph, listed.to, listed.graph.runtime());
    SpecSet needed_beyond = needed;
    for (const std::uint32_t spec : members(listed.to)) {
        needed_beyond[spec] = false;  // one that only left the stack is still there
    }
    Arguments of_these = arguments;
    of_these["specs"] = fmt::format("[{}]", fmt::join(members(needed_beyond), ","));
    const GoneVersions gone = versions_of(
        run_query(database, "needed_gone", text_named(drift_texts, "removed"), of_these));
    if (gone.builds.empty()) {
        return table;
    }
    const auto counted = count_needed_by(NeedOrder(listed.graph, needed, listed.graph.runtime()),
                                         gone.builds, std::array{members(listed.to)});
    for (std::size_t i = 0; i < counted.size(); ++i) {
        table.rows.push_back({gone.names[i].first, gone.names[i].second,
                              static_cast<std::int64_t>(gone.builds[i].size()), counted[i].users});
    }
    std::ranges::stable_sort(
        table.rows, [](const auto& a, const auto& b) { return integer(a[3]) > integer(b[3]); });
    return table;
}

}  // namespace cacheledger
