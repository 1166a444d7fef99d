#include "reports/engine/reasons/pairs.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// A build has few partners. Only files made for it would have as many pairs as there are
// two builds of a name.
constexpr std::size_t most_partners = 16;

/// An edge to a dependency. In this order the edges of two builds belong together: by name and
/// type, then those for the same virtuals ("c,cxx"), then the lower version. What is left belongs
/// together by name.
struct Edge {
    std::int64_t package = 0, deptypes = 0;
    std::string virtuals, version_key, hash;
    std::int64_t spec = 0;

    auto operator<=>(const Edge&) const = default;
    auto kind() const { return std::pair(package, deptypes); }
};

using Edges = std::vector<Edge>;

Edges without(const Edges& edges, const Edges& others) {
    Edges rest;
    std::ranges::set_difference(edges, others, std::back_inserter(rest));
    return rest;
}

class Pairs {
  public:
    explicit Pairs(const SQLite::Database& database)
        : edges_(database,
                 "SELECT p.package_id, k.deptypes_id, ifnull(e.virtuals, ''), "
                 "ifnull(v.sort_key, ''), x.hash, d.dependency_id FROM dependency d "
                 "CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= ?2 "
                 "CROSS JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id "
                 "CROSS JOIN why_package p ON p.spec_id = d.dependency_id "
                 "CROSS JOIN spec x ON x.spec_id = d.dependency_id "
                 "CROSS JOIN look l ON l.look_id = x.look_id "
                 "LEFT JOIN version v ON v.version_id = l.version_id WHERE d.spec_id = ?1"),
          form_(database, "SELECT min(form) FROM node WHERE spec_id IN (?, ?)"),
          group_(database,
                 "INSERT INTO why_grouped VALUES (?1, ?2, ?1, 0, ?4), (?1, ?3, NULL, 1, ?4)"),
          below_(database, "INSERT OR IGNORE INTO why_new_edge VALUES (?, ?)") {}

    void add_from(std::int64_t before, std::int64_t after) {
        new_id(before, after, 0);
        std::size_t next = 0;  // it grows meanwhile
        while (next < waiting_.size()) {
            const auto [old_spec, new_spec, id, depth] = waiting_[next++];
            rebind(form_, old_spec, new_spec);
            form_.executeStep();
            const std::int64_t form = form_.getColumn(0).getInt64();
            const Edges old_edges = edges_of(old_spec, form);
            const Edges new_edges = edges_of(new_spec, form);
            Edges gone = without(old_edges, new_edges);
            Edges come = without(new_edges, old_edges);
            add_below(id, depth + 1, gone, come, &Edge::kind);
            add_below(id, depth + 1, gone, come, [](const Edge& edge) { return edge.package; });
        }
    }

  private:
    struct Pair {
        std::int64_t before = 0, after = 0, id = 0, depth = 0;
    };

    Edges edges_of(std::int64_t spec, std::int64_t form) {
        Edges edges;
        rebind(edges_, spec, form);
        while (edges_.executeStep()) {
            edges.push_back({edges_.getColumn(0).getInt64(), edges_.getColumn(1).getInt64(),
                             edges_.getColumn(2).getString(), edges_.getColumn(3).getString(),
                             edges_.getColumn(4).getString(), edges_.getColumn(5).getInt64()});
        }
        std::ranges::sort(edges);
        return edges;
    }

    // Pairs the edges that are of one kind, and leaves the others.
    template <typename Kind>
    void add_below(std::int64_t id, std::int64_t depth, Edges& before, Edges& after,
                   const Kind& kind) {
        Edges old_rest;
        Edges new_rest;
        auto old_edge = before.begin();
        auto new_edge = after.begin();
        while (old_edge != before.end() && new_edge != after.end()) {
            const auto order = std::invoke(kind, *old_edge) <=> std::invoke(kind, *new_edge);
            if (order < 0) {
                old_rest.push_back(*old_edge++);
            } else if (order > 0) {
                new_rest.push_back(*new_edge++);
            } else if (const auto below = new_id((old_edge++)->spec, (new_edge++)->spec, depth);
                       below != 0) {
                cacheledger::run(below_, id, below);
            }
        }
        before.erase(before.begin(), old_edge);
        after.erase(after.begin(), new_edge);
        before.insert(before.begin(), old_rest.begin(), old_rest.end());
        after.insert(after.begin(), new_rest.begin(), new_rest.end());
    }

    // The number of a pair: the first one of a build has that of the build. 0: the two are one, or
    // have too many partners.
    std::int64_t new_id(std::int64_t before, std::int64_t after, std::int64_t depth) {
        if (before == after) {
            return 0;
        }
        auto& partners = ids_[after];
        if (const auto known = partners.find(before); known != partners.end()) {
            return known->second;
        }
        if (partners.size() == most_partners || replaced_[before] == most_partners) {
            return 0;
        }
        ++replaced_[before];
        const std::int64_t id =
            partners.empty() ? after : -static_cast<std::int64_t>(waiting_.size());
        partners.emplace(before, id);
        waiting_.push_back({before, after, id, depth});
        cacheledger::run(group_, id, after, before, depth);
        return id;
    }

    SQLite::Statement edges_, form_, group_, below_;
    std::vector<Pair> waiting_;
    std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> ids_;  // by later, earlier build
    std::map<std::int64_t, std::size_t> replaced_;  // how often each earlier build
};

}  // namespace

void pair_builds(const SQLite::Database& database) {
    SQLite::Statement asked(
        database,
        "SELECT a.spec_id, b.spec_id FROM why_present a CROSS JOIN why_present b "
        "CROSS JOIN why_package p ON p.spec_id = a.spec_id "
        "CROSS JOIN why_package q ON q.spec_id = b.spec_id AND q.package_id = p.package_id "
        "WHERE a.in_from AND b.in_to AND b.spec_id <> a.spec_id");
    if (!asked.executeStep()) {
        return;  // of two packages: one is what the other needs, or a new package
    }
    SQLite::Statement(database, "DELETE FROM why_grouped").exec();
    SQLite::Statement(database, "DELETE FROM why_new_edge").exec();
    const std::int64_t after = asked.getColumn(1).getInt64();
    SQLite::Statement known(database, "UPDATE why_node SET in_from = 0 WHERE spec_id = ?");
    cacheledger::run(known, after);
    Pairs(database).add_from(asked.getColumn(0).getInt64(), after);
}

}  // namespace cacheledger
