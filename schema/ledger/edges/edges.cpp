#include "schema/ledger/edges/edges.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cacheledger {

Edges::Edges(SQLite::Database& database)
    : parents_(database, "SELECT spec_id, edge_kind_id FROM dependency WHERE dependency_id = ?") {
    for (DependencyKind& kind : read_edge_kinds(database)) {
        kinds_.push_back({std::move(kind)});
    }
}

void Edges::add_ancestors(std::unordered_set<std::int64_t>& ids) {
    std::vector<std::int64_t> open(ids.begin(), ids.end());
    while (!open.empty()) {
        const std::int64_t id = open.back();
        open.pop_back();
        parents_of(id, [&](std::int64_t parent, const AskedKind& kind) {
            if (kind.is_runtime && ids.insert(parent).second) {
                open.push_back(parent);
            }
        });
    }
}

// The order is that in which Spack reads and sorts them.
NamedDependency::NamedDependency(SQLite::Database& database, std::string name)
    : name_(std::move(name)),
      children_(database, R"(
        SELECT d.dependency_id, k.name = ?2 OR ',' || e.virtuals || ',' LIKE '%,' || ?2 || ',%',
               e.is_build OR e.is_test, e.is_link OR e.is_run
        FROM dependency d
        CROSS JOIN edge_kind e USING (edge_kind_id)
        CROSS JOIN spec x ON x.spec_id = d.dependency_id
        CROSS JOIN look l USING (look_id)
        CROSS JOIN package k USING (package_id)
        WHERE d.spec_id = ?1
        ORDER BY k.name, e.is_link + 2 * e.is_run + 4 * e.is_build + 8 * e.is_test, e.virtuals)"),
      own_(database,
           "SELECT k.name FROM spec x CROSS JOIN look l USING (look_id) "
           "CROSS JOIN package k USING (package_id) WHERE x.spec_id = ?") {}

const std::vector<NamedDependency::Child>& NamedDependency::children_of(std::int64_t spec_id) {
    const auto [place, is_new] = known_.try_emplace(spec_id);
    if (is_new) {
        rebind(children_, spec_id, name_);
        while (children_.executeStep()) {
            place->second.push_back(
                {children_.getColumn(0).getInt64(), children_.getColumn(1).getInt() != 0,
                 children_.getColumn(2).getInt() != 0, children_.getColumn(3).getInt() != 0});
        }
    }
    return place->second;
}

std::optional<std::int64_t> NamedDependency::find(std::int64_t spec_id) {
    for (const Child& child : children_of(spec_id)) {
        if (child.is_named && child.is_of_build) {
            return child.spec_id;
        }
    }
    rebind(own_, spec_id);
    if (own_.executeStep() && own_.getColumn(0).getString() == name_) {
        return spec_id;
    }
    std::vector<std::int64_t> open = {spec_id};
    std::unordered_set<std::int64_t> seen = {spec_id};
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (const Child& child : children_of(open[i])) {
            if (child.is_named && child.is_runtime) {
                return child.spec_id;
            }
            if (child.is_runtime && seen.insert(child.spec_id).second) {
                open.push_back(child.spec_id);
            }
        }
    }
    return std::nullopt;
}

}  // namespace cacheledger
