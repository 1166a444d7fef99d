#include "ingest/rows/nodes/ledger_nodes.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/specs/constraints/target_set.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

constexpr int first_known_form = 3;

// The looks with a target that neither the program nor a source placed. A ledger of before 2026-11
// has nodes that say where such a target stands, and what they say was not kept.
std::set<std::int64_t> looks_to_place(SQLite::Database& database) {
    SQLite::Statement systems(database,
                              "SELECT arch_id, target FROM arch "
                              "WHERE target NOT IN (SELECT target FROM target_parent)");
    RowScan looks(database, "SELECT look_id FROM look WHERE arch_id = ?");
    std::set<std::int64_t> found;
    while (systems.executeStep()) {
        if (!is_of_archspec(systems.getColumn(1).getString())) {
            looks.start({systems.getColumn(0).getInt64()});
            while (looks.next()) {
                found.insert(looks.number(0));
            }
        }
    }
    return found;
}

}  // namespace

LedgerNodes::LedgerNodes(SQLite::Database& database, SpecRows& specs)
    : database_(database),
      specs_(specs),
      select_nodes_(database, fmt::format("SELECT spec_id, digest, form >= {} AND NOT read_again, "
                                          "target_definition_id IS NOT NULL FROM node "
                                          "WHERE spec_id BETWEEN ? AND ?",
                                          first_known_form)),
      looks_to_place_(looks_to_place(database)) {
    specs.may_read_all();
}

// Whether a text with the digest of this row of select_nodes_ need not be read.
bool LedgerNodes::tells_all(const KnownSpec& spec) const {
    return select_nodes_.number(2) != 0 &&
           (select_nodes_.number(3) == 0 || !looks_to_place_.contains(spec.look_id));
}

// In the order of the rows of spec and node, which are read side by side: a join searches for each.
void LedgerNodes::expect(const std::string& series) {
    if (!series_.insert(series).second) {
        return;
    }
    SQLite::Statement select_series(database_, "SELECT series_id FROM series WHERE name = ?");
    rebind(select_series, series);
    if (!select_series.executeStep()) {
        return;
    }
    std::vector<std::uint32_t> packages(number_of_places(database_));  // by spec_id
    SpecSet state(packages.size());
    RowScan presence(database_,
                     "SELECT spec_id, package_id FROM presence "
                     "WHERE series_id = ? AND valid_to IS NULL");
    presence.start({select_series.getColumn(0).getInt64()});
    while (presence.next()) {
        add_spec(state, presence.number(0));
        if (const auto spec_id = static_cast<std::size_t>(presence.number(0));
            spec_id < packages.size()) {
            packages[spec_id] = static_cast<std::uint32_t>(presence.number(1));
        }
    }
    RowScan specs(database_,
                  "SELECT spec_id, hash, look_id FROM spec WHERE spec_id BETWEEN ? AND ?");
    for_ranges(state, [&](std::uint32_t first, std::uint32_t last) {
        specs.start({first, last});
        select_nodes_.start({first, last});
        bool has_node = select_nodes_.next();
        while (specs.next()) {
            const std::int64_t spec_id = specs.number(0);
            if (!state[static_cast<std::size_t>(spec_id)]) {
                continue;
            }
            const auto hash = specs.bytes<DagHash>(1);
            const std::uint32_t package_id = packages[static_cast<std::size_t>(spec_id)];
            const KnownSpec spec{spec_id, specs.number(2), package_id};
            specs_.remember(hash, spec);
            while (has_node && select_nodes_.number(0) < spec_id) {
                has_node = select_nodes_.next();
            }
            if (has_node && select_nodes_.number(0) == spec_id && tells_all(spec)) {
                texts_.emplace(hash, {select_nodes_.bytes<TextDigest>(1), package_id});
            }
        }
        while (has_node) {
            has_node = select_nodes_.next();
        }
    });
}

// Of a hash that two packages claim, the first counts.
std::uint32_t LedgerNodes::look_up(const DagHash& hash, const TextDigest& digest) const {
    const KnownSpec* const spec = specs_.find(hash);
    if (spec == nullptr) {
        return 0;
    }
    bool is_same = false;
    select_nodes_.start({spec->spec_id, spec->spec_id});
    while (select_nodes_.next()) {
        is_same = tells_all(*spec) && select_nodes_.bytes<TextDigest>(1) == digest;
    }
    return is_same ? static_cast<std::uint32_t>(spec->package_id) : 0;
}

std::string LedgerNodes::package(std::uint32_t package_id) const {
    SQLite::Statement select(database_, "SELECT name FROM package WHERE package_id = ?");
    rebind(select, package_id);
    select.executeStep();
    return select.getColumn(0).getString();
}

std::string LedgerNodes::version_of(const DagHash& hash) const {
    SQLite::Statement query(database_,
                            "SELECT v.version FROM spec x JOIN look l USING (look_id) "
                            "JOIN version v USING (version_id) WHERE x.hash = ? "
                            "ORDER BY x.spec_id");
    rebind(query, std::string(text_of(hash)));
    query.executeStep();
    return query.getColumn(0).getString();
}

std::optional<std::string> LedgerNodes::compiler_of(const DagHash& hash) const {
    SQLite::Statement query(database_,
                            "SELECT c.spec FROM spec x JOIN look l USING (look_id) "
                            "JOIN compiler c USING (compiler_id) WHERE x.hash = ?");
    rebind(query, std::string(text_of(hash)));
    return query.executeStep() ? std::optional(query.getColumn(0).getString()) : std::nullopt;
}

void LedgerNodes::add(const Graph& graph, const std::vector<std::uint32_t>& nodes,
                      const std::vector<KnownSpec>& specs) {
    for (const std::uint32_t index : nodes) {
        const Node& node = graph.nodes[index];
        if (node.form >= first_known_form && !node.read_again) {
            texts_.emplace(node.hash,
                           {node.digest, static_cast<std::uint32_t>(specs[index].package_id)});
        }
    }
}

}  // namespace cacheledger
