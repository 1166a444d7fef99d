#include "reports/engine/compared/compared.hpp"

#include <algorithm>
#include <utility>

#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

namespace {

/// What pages would list if the earlier side had it: what the later side lists, and what only that
/// side lists needs to link or to run.
SpecSet listed_if_there(const SQLite::Database& database, const SpecGraph& graph,
                        const ListedGraph& sides) {
    SpecSet added = sides.to;
    for (const std::uint32_t spec : members(sides.from)) {
        added[spec] = false;
    }
    SpecSet needed = with_dependencies(graph, std::move(added), graph.runtime());
    const SpecSet external = external_specs(database);
    for (std::size_t spec = 0; spec < graph.size(); ++spec) {
        needed[spec] = sides.to[spec] || (needed[spec] && !external[spec] && graph.form(spec) > 0);
    }
    return needed;
}

/// The dependencies of a new node that are new, each once.
std::vector<std::uint32_t> new_below(const SpecGraph& graph, const SpecSet& is_new,
                                     std::uint32_t spec) {
    std::vector<std::uint32_t> below;
    for (const SpecGraph::Edge& edge : graph.dependencies(spec)) {
        if (is_new[edge.spec] && graph.is_hashed(spec, edge) &&
            (below.empty() || below.back() != edge.spec)) {
            below.push_back(edge.spec);
        }
    }
    return below;
}

}  // namespace

Asked asked_between_snapshots(const SQLite::Database& database, const Arguments& arguments) {
    Asked asked;
    asked.lists_only_cached = only_value<bool>(
        database, "SELECT EXISTS (SELECT 1 FROM snapshot WHERE name = ? AND kind = 'pages')",
        arguments.at("from"));
    const Arguments pair = {{"from", arguments.at("from")},
                            {"to", arguments.at("to")},
                            {"stack", arguments.at("stack")},
                            {"package", arguments.at("package")}};
    for (const auto& row :
         run_query(database, "why", text_named(compared_texts, "asked"), pair).rows) {
        asked.specs.push_back({static_cast<std::uint32_t>(std::get<std::int64_t>(row[0])),
                               std::get<std::string>(row[1]), std::get<std::int64_t>(row[2]) != 0});
    }
    return asked;
}

Asked asked_between_specs(const ListedGraph& listed) {
    Asked asked;
    for (const std::uint32_t spec : members(listed.to)) {
        if (!listed.from[spec]) {
            asked.specs.push_back({spec, "rebuilt", true});
        }
    }
    return asked;
}

Compared compare_sides(const SQLite::Database& database, const ListedGraph& listed,
                       const Asked& asked, SpecReading& reading) {
    const SpecGraph& graph = listed.graph;
    const SpecSet before = with_dependencies(graph, listed.from, graph.hashed());
    const SpecSet after = with_dependencies(graph, listed.to, graph.hashed());
    const SpecSet could_be_listed =
        asked.lists_only_cached ? listed_if_there(database, graph, listed) : SpecSet();
    SpecSet both = before;
    for (const std::uint32_t spec : members(after)) {
        both[spec] = true;
    }
    reading.read(both);
    Compared compared;
    compared.is_new = graph.no_specs();
    for (std::size_t spec = 0; spec < graph.size(); ++spec) {
        compared.is_new[spec] =
            after[spec] && !before[spec] && (!asked.lists_only_cached || could_be_listed[spec]);
    }

    SpecSet wanted = graph.no_specs();
    for (const AskedSpec& one : asked.specs) {
        if (one.is_rebuilt && compared.is_new[one.spec]) {
            wanted[one.spec] = true;
        }
    }
    std::vector<std::vector<std::uint32_t>> below(graph.size());
    for (const std::uint32_t spec : members(compared.is_new)) {
        below[spec] = new_below(graph, compared.is_new, spec);
        if (!below[spec].empty()) {
            wanted[spec] = true;
            for (const std::uint32_t dependency : below[spec]) {
                wanted[dependency] = true;
            }
        }
    }

    std::vector<std::uint32_t> places(graph.size());
    std::vector<bool> is_compared;  // by package
    for (const std::uint32_t spec : members(wanted)) {
        places[spec] = static_cast<std::uint32_t>(compared.nodes.size());
        const std::uint32_t package = reading.facts(spec).package;
        compared.nodes.push_back({spec, spec, package});
        is_compared.resize(std::max<std::size_t>(is_compared.size(), package + std::size_t{1}));
        is_compared[package] = true;
    }
    for (Compared::NewNode& node : compared.nodes) {
        for (const std::uint32_t dependency : below[node.spec]) {
            node.below.push_back(places[dependency]);
        }
    }
    for (const std::uint32_t spec : members(before)) {
        const std::uint32_t package = reading.facts(spec).package;
        if (package < is_compared.size() && is_compared[package]) {
            compared.earlier.push_back({spec, package, !after[spec]});
        }
    }
    return compared;
}

}  // namespace cacheledger
