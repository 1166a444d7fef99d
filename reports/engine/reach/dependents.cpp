// What depends on some specs, in a snapshot.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/present/snapshot_specs.hpp"
#include "reports/engine/reach/fill_tables.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

/// The types of the edges of some kinds from a spec to those that are asked: "build build,link".
/// Few specs differ in it.
class TypesToAsked {
  public:
    TypesToAsked(const SpecGraph& graph, const SpecSet& asked, const std::vector<bool>& is_kind)
        : graph_(graph), asked_(asked), is_kind_(is_kind) {}

    const std::optional<std::string>& of(std::uint32_t spec) {
        std::set<std::string_view> types;
        for (const SpecGraph::Edge& edge : graph_.dependencies(spec)) {
            if (asked_[edge.spec] && is_kind_[edge.kind]) {
                types.insert(graph_.kinds()[edge.kind].deptypes);
            }
        }
        const auto [place, is_new] = texts_.try_emplace(types);
        for (const std::string_view one : types) {
            if (is_new) {
                place->second = (place->second ? *place->second + ' ' : "") + std::string(one);
            }
        }
        return place->second;
    }

  private:
    const SpecGraph& graph_;
    const SpecSet& asked_;
    const std::vector<bool>& is_kind_;
    std::map<std::set<std::string_view>, std::optional<std::string>> texts_;
};

}  // namespace

void fill_dependent_specs(const SQLite::Database& database, const Arguments& arguments) {
    execute(database, "INSERT INTO temp.asked_dependents VALUES (?, ?)", arguments.at("spec"),
            arguments.at("deptype"));
    const SpecSet asked = specs_of_query(
        database, "sql/audit/dependents.sql",
        "SELECT spec_id FROM spec WHERE hash = :spec "
        "UNION ALL SELECT spec_id FROM spec WHERE look_id IN (SELECT look_id FROM look "
        "WHERE package_id = (SELECT package_id FROM package WHERE name = :spec)) "
        "UNION ALL SELECT x.spec_id "
        "FROM json_each(CASE WHEN :spec GLOB '[[]*' THEN :spec ELSE '[]' END) j "
        "CROSS JOIN spec x ON x.spec_id = j.value",
        {{"spec", arguments.at("spec")}});
    const SpecSet listed = specs_of_snapshot(database, arguments.at("at")).specs;
    const SpecGraph graph(database, listed);
    std::vector<bool> is_kind;
    for (const DependencyKind& kind : graph.kinds()) {
        is_kind.push_back(kind.has_any_type(to_text(arguments.at("deptype"))));
    }
    SpecSet direct = graph.no_specs();
    for (const std::uint32_t spec : members(asked)) {
        for (const SpecGraph::Edge& edge : graph.dependents(spec)) {
            direct[edge.spec] = direct[edge.spec] || is_kind[edge.kind];
        }
    }
    const SpecSet all = with_dependents(
        graph, direct,
        [&](std::uint32_t, const SpecGraph::Edge& edge) { return is_kind[edge.kind]; });
    TypesToAsked types(graph, asked, is_kind);
    const Write insert(database, "INSERT INTO temp.dependent_specs VALUES (?, ?, ?)");
    for (const std::uint32_t spec : members(all)) {
        if (listed[spec]) {
            insert(spec, bool{direct[spec]}, types.of(spec));
        }
    }
}

}  // namespace cacheledger
