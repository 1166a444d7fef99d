#include "schema/ledger/edges/edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace cacheledger {

bool has_word(std::string_view list, std::string_view word) {
    return fmt::format(",{},", list).find(fmt::format(",{},", word)) != std::string::npos;
}

bool StoredEdgeKind::has_types(const std::vector<std::string>& types) const {
    return std::ranges::all_of(types, [&](const auto& type) { return has_word(deptypes, type); });
}

Answer StoredEdgeKind::is_for_any(const std::vector<std::string>& asked) const {
    if (asked.empty()) {
        return Answer::yes;
    }
    return virtuals ? answer(std::ranges::any_of(
                          asked, [&](const auto& name) { return has_word(*virtuals, name); }))
                    : Answer::unknown;
}

Edges::Edges(SQLite::Database& database)
    : parents_(database, "SELECT spec_id, edge_kind_id FROM dependency WHERE dependency_id = ?") {
    SQLite::Statement kinds(
        database,
        "SELECT edge_kind_id, deptypes, virtuals, is_build, is_link OR is_run FROM edge_kind "
        "ORDER BY edge_kind_id");
    while (kinds.executeStep()) {
        const auto id = static_cast<std::size_t>(kinds.getColumn(0).getInt64());
        kinds_.resize(id + 1);
        kinds_[id] = {kinds.getColumn(1).getString(), optional_text(kinds, 2),
                      kinds.getColumn(3).getInt() != 0, kinds.getColumn(4).getInt() != 0};
    }
}

void Edges::add_ancestors(std::unordered_set<std::int64_t>& ids) {
    std::vector<std::int64_t> open(ids.begin(), ids.end());
    while (!open.empty()) {
        const std::int64_t id = open.back();
        open.pop_back();
        parents_of(id, [&](std::int64_t parent, const StoredEdgeKind& kind) {
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
