#include "reports/engine/reasons/compared.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <utility>

#include "reports/engine/reasons/why_text.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

SpecSet read_specs(SQLite::Statement& select, std::size_t size) {
    SpecSet specs(size);
    while (select.executeStep()) {
        if (const std::int64_t id = select.getColumn(0).getInt64();
            id > 0 && static_cast<std::uint64_t>(id) < size) {
            specs[static_cast<std::size_t>(id)] = true;
        }
    }
    return specs;
}

SpecSet listed_by(const SQLite::Database& database, std::size_t size, const Value& snapshot) {
    SQLite::Statement select(database, why_text("listed"));
    rebind(select, std::get<std::string>(snapshot));
    return read_specs(select, size);
}

/// The specs, and all that they need over edges that hashes cover.
SpecSet closure(const SpecGraph& graph, const SpecSet& specs) {
    SpecSet all = specs;
    reach_down(graph, members(specs), all, [&](std::uint32_t spec, const SpecGraph::Edge& edge) {
        return graph.is_hashed(spec, edge);
    });
    return all;
}

/// What pages would list if the earlier side had it: what the later side lists, and what only that
/// side lists needs to link or to run.
SpecSet listed_if_there(const SQLite::Database& database, const SpecGraph& graph,
                        const Sides& sides) {
    SpecSet needed = graph.no_specs();
    std::vector<std::uint32_t> starts;
    for (const std::uint32_t spec : members(sides.to)) {
        if (!sides.from[spec]) {
            starts.push_back(spec);
            needed[spec] = true;
        }
    }
    reach_down(graph, std::move(starts), needed,
               [&](std::uint32_t, const SpecGraph::Edge& edge) { return graph.is_runtime(edge); });
    SQLite::Statement externals(
        database,
        "SELECT n.spec_id FROM recipe r JOIN node n USING (recipe_id) WHERE r.external = 1");
    const SpecSet is_external = read_specs(externals, graph.size());
    for (std::size_t spec = 0; spec < graph.size(); ++spec) {
        needed[spec] =
            sides.to[spec] || (needed[spec] && graph.form(spec) > 0 && !is_external[spec]);
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

Sides sides_of_snapshots(const SQLite::Database& database, std::size_t size,
                         const Arguments& arguments) {
    Sides sides;
    sides.from = listed_by(database, size, arguments.at("from"));
    sides.to = listed_by(database, size, arguments.at("to"));
    sides.lists_only_cached =
        query_number(database, "why", "SELECT kind = 'pages' FROM snapshot WHERE name = :from",
                     {{"from", arguments.at("from")}}) != 0;
    const Arguments asked = {{"from", arguments.at("from")},
                             {"to", arguments.at("to")},
                             {"stack", arguments.at("stack")},
                             {"package", arguments.at("package")}};
    for (const auto& row : run_query(database, "why", why_text("asked"), asked).rows) {
        sides.asked.push_back({static_cast<std::uint32_t>(std::get<std::int64_t>(row[0])),
                               std::get<std::string>(row[1]), std::get<std::int64_t>(row[2]) != 0});
    }
    return sides;
}

Sides sides_of_specs(const SQLite::Database& database, const std::string& from,
                     const std::string& to) {
    SQLite::Statement select(database, "SELECT spec_id FROM spec WHERE hash = ?");
    const std::size_t size = number_of_places(database);
    Sides sides;
    rebind(select, from);
    sides.from = read_specs(select, size);
    rebind(select, to);
    sides.to = read_specs(select, size);
    for (const std::uint32_t spec : members(sides.to)) {
        if (!sides.from[spec]) {
            sides.asked.push_back({spec, "rebuilt", true});
        }
    }
    return sides;
}

Compared compare_sides(const SQLite::Database& database, const SpecGraph& graph, const Sides& sides,
                       SpecReading& reading) {
    const SpecSet before = closure(graph, sides.from);
    const SpecSet after = closure(graph, sides.to);
    const SpecSet could_be_listed =
        sides.lists_only_cached ? listed_if_there(database, graph, sides) : SpecSet();
    SpecSet both = before;
    for (const std::uint32_t spec : members(after)) {
        both[spec] = true;
    }
    reading.read(both);
    Compared compared;
    compared.is_new = graph.no_specs();
    for (std::size_t spec = 0; spec < graph.size(); ++spec) {
        compared.is_new[spec] =
            after[spec] && !before[spec] && (!sides.lists_only_cached || could_be_listed[spec]);
    }

    SpecSet wanted = graph.no_specs();
    for (const AskedSpec& asked : sides.asked) {
        if (asked.is_rebuilt && compared.is_new[asked.spec]) {
            wanted[asked.spec] = true;
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
