// What the roots of a lock file need, and what a cache lacks of it.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "reports/engine/present/snapshot_specs.hpp"
#include "reports/engine/reach/fill_tables.hpp"
#include "schema/ledger/graph/needed_by.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

struct WantedSpecs {
    SpecSet own;  ///< what the lock file lists; empty if it is none
    SpecGraph graph;
    SpecSet runtime, all;  ///< what the roots need to link and to run; what they need
    SpecSet external;
    SpecSet there;  ///< of all: what the cache has

    /// A dependency that is not part of the hash may be that of another lock file, if this one does
    /// not list it.
    auto needed() const {
        return [this](std::uint32_t spec, const SpecGraph::Edge& edge) {
            return graph.is_hashed(spec, edge) || own.empty() || own[edge.spec];
        };
    }
};

constexpr const char* roots_of_lock =
    "SELECT r.spec_id FROM snapshot s "
    "CROSS JOIN root_presence r ON r.series_id = s.series_id AND r.valid_from <= s.taken_at "
    "AND (r.valid_to IS NULL OR r.valid_to > s.taken_at) WHERE s.name = :lock";

/// Those of `wanted` that the cache has under their hash; spliced ones also under that of the spec
/// that was built.
SpecSet found_there(const SQLite::Database& database, const SpecSet& wanted,
                    const SpecSet& external, const SpecSet& cached) {
    const Select<std::size_t> same(
        database,
        "SELECT y.spec_id FROM spec x LEFT JOIN node n ON n.spec_id = x.spec_id "
        "CROSS JOIN spec y ON y.hash IN (x.hash, n.build_hash) "
        "WHERE x.spec_id = ?");
    SpecSet there(wanted.size());
    for (const std::uint32_t spec : members(wanted)) {
        if (external[spec]) {
            continue;
        }
        there[spec] = cached[spec];
        if (there[spec]) {
            continue;  // nearly all: the ledger is asked for the others
        }
        for (const auto& [other] : same(spec)) {
            there[spec] = there[spec] || (other < cached.size() && cached[other]);
        }
    }
    return there;
}

WantedSpecs wanted_of(const SQLite::Database& database, const Arguments& arguments) {
    const Value& lock = arguments.at("lock");
    execute(database, "INSERT INTO temp.asked_wanted VALUES (?, ?)", lock, arguments.at("at"));
    const bool is_lock = only_value<bool>(
        database, "SELECT EXISTS (SELECT 1 FROM snapshot WHERE name = ? AND kind = 'lock')", lock);
    SpecSet listed = specs_of_snapshot(database, lock).specs;
    const SpecSet cached =
        lock == arguments.at("at") ? listed : specs_of_snapshot(database, arguments.at("at")).specs;
    SpecSet roots =
        is_lock ? specs_of_query(database, "wanted", roots_of_lock, {{"lock", lock}}) : listed;
    SpecGraph graph(database, roots);
    if (!is_lock || members(listed).empty()) {
        listed.clear();
    }
    WantedSpecs wanted{std::move(listed), std::move(graph), {}, {}, {}, {}};
    wanted.runtime = with_dependencies(wanted.graph, roots, wanted.graph.runtime());
    wanted.all = with_dependencies(wanted.graph, roots, wanted.needed());
    wanted.external = external_specs(database);
    wanted.there = found_there(database, wanted.all, wanted.external, cached);
    return wanted;
}

/// One of the missing specs that a spec needs, itself counted, and whether there are others.
struct MissingBelow {
    std::uint32_t one = 0;
    bool has_more = false;

    MissingBelow& operator|=(const MissingBelow& other) {
        has_more = has_more || other.has_more || (one != 0 && other.one != 0 && one != other.one);
        one = one == 0 ? other.one : one;
        return *this;
    }
    bool operator==(const MissingBelow&) const = default;
};

/// Writes the missing specs of `reached`: those that `is_runtime` says. Dependencies are those
/// among `reached` that `follows` takes.
template <typename Follows>
void add_missing(const SQLite::Database& database, const WantedSpecs& wanted,
                 const SpecSet& reached, bool is_runtime, const Follows& follows) {
    std::vector<std::vector<std::uint32_t>> missing;
    std::vector<std::uint32_t> users;
    const NeedOrder order(wanted.graph, reached, follows);
    std::vector<MissingBelow> below(order.nodes().size());
    for (const std::uint32_t spec : members(reached)) {
        if (wanted.external[spec]) {
            continue;
        }
        users.push_back(spec);
        if (!wanted.there[spec]) {
            below[order.place(spec)].one = spec;
            if (wanted.runtime[spec] == is_runtime) {
                missing.push_back({spec});
            }
        }
    }
    order.gather(below);
    const auto counted = count_needed_by(order, missing, std::array{users});
    const Write insert(database, "INSERT INTO temp.missing_specs VALUES (?, ?, ?, ?)");
    for (std::size_t i = 0; i < missing.size(); ++i) {
        const std::uint32_t spec = missing[i][0];
        insert(spec, is_runtime, !below[order.place(spec)].has_more, counted[i].users - 1);
    }
}

}  // namespace

void fill_missing_specs(const SQLite::Database& database, const Arguments& arguments) {
    const WantedSpecs wanted = wanted_of(database, arguments);
    add_missing(database, wanted, wanted.runtime, true, wanted.graph.runtime());
    add_missing(database, wanted, wanted.all, false, wanted.needed());
}

void fill_wanted_specs(const SQLite::Database& database, const Arguments& arguments) {
    const WantedSpecs wanted = wanted_of(database, arguments);
    const Write insert(database, "INSERT INTO temp.wanted_specs VALUES (?, ?, ?, ?, ?)");
    for (const std::uint32_t spec : members(wanted.all)) {
        insert(spec, wanted.runtime[spec], wanted.external[spec], wanted.there[spec],
               wanted.graph.form(spec) == 0);
    }
}

}  // namespace cacheledger
