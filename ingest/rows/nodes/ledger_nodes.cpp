#include "ingest/rows/nodes/ledger_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "schema/errors/error.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/specs/constraints/target_set.hpp"

namespace cacheledger {

namespace {

constexpr int first_known_form = 3;

// The looks with a target that neither the program nor a source placed. A ledger of before 2026-11
// has nodes that say where such a target stands, and what they say was not kept.
std::set<std::int64_t> looks_to_place(SQLite::Database& database) {
    const Select<std::int64_t> looks(database, "SELECT look_id FROM look WHERE arch_id = ?");
    std::set<std::int64_t> found;
    for (const auto& [arch_id, target] : rows<std::int64_t, std::string>(
             database,
             "SELECT arch_id, target FROM arch "
             "WHERE target NOT IN (SELECT target FROM target_parent)")) {
        if (!is_of_archspec(target)) {
            for (const auto& [look_id] : looks(arch_id)) {
                found.insert(look_id);
            }
        }
    }
    return found;
}

}  // namespace

LedgerNodes::LedgerNodes(SQLite::Database& database, SpecRows& specs)
    : database_(database),
      specs_(specs),
      select_texts_(database,
                    fmt::format("SELECT spec_id, digest, target_definition_id IS NOT NULL "
                                "FROM node WHERE spec_id BETWEEN ? AND ? "
                                "AND form >= {} AND NOT read_again",
                                first_known_form)),
      select_package_(database, "SELECT name FROM package WHERE package_id = ?"),
      looks_to_place_(looks_to_place(database)) {
    specs.may_read_all();
}

// In the order of the rows of spec and node, which are read side by side: a join searches for each.
void LedgerNodes::expect(const std::string& series) {
    if (!series_.insert(series).second) {
        return;
    }
    // Most of these pages are read once: none need take memory for long.
    const auto cache_size = only_value<std::int64_t>(database_, "PRAGMA cache_size");
    database_.exec("PRAGMA cache_size = -4096");
    std::vector<std::uint32_t> packages(number_of_places(database_));  // of specs of the state
    for (const auto& [spec_id, package_id] : rows<std::size_t, std::uint32_t>(
             database_,
             "SELECT spec_id, package_id FROM presence WHERE valid_to IS NULL "
             "AND series_id = (SELECT series_id FROM series WHERE name = ?)",
             series)) {
        if (spec_id < packages.size()) {
            packages[spec_id] = package_id;
        }
    }
    SpecSet state(packages.size());
    std::transform(packages.begin(), packages.end(), state.begin(),
                   [](std::uint32_t package_id) { return package_id != 0; });
    const auto size = static_cast<std::size_t>(std::count(state.begin(), state.end(), true));
    specs_.reserve(size);
    texts_.reserve(texts_.size() + size);
    const Select<std::int64_t, DagHash, std::int64_t> select_specs(
        database_, "SELECT spec_id, hash, look_id FROM spec WHERE spec_id BETWEEN ? AND ?");
    for_ranges(state, [&](std::uint32_t first, std::uint32_t last) {
        const auto texts = select_texts_(first, last);
        auto text = texts.begin();
        for (const auto& [spec_id, hash, look_id] : select_specs(first, last)) {
            const std::uint32_t package_id = packages[static_cast<std::size_t>(spec_id)];
            if (package_id == 0) {
                continue;
            }
            specs_.remember(hash, {spec_id, look_id, package_id});
            while (text != texts.end() && std::get<0>(*text) < spec_id) {
                ++text;
            }
            if (text != texts.end()) {
                const auto [described, digest, is_defined] = *text;
                if (described == spec_id && !(is_defined && looks_to_place_.contains(look_id))) {
                    texts_.emplace(hash, {digest, package_id});
                }
            }
        }
    });
    database_.exec(fmt::format("PRAGMA cache_size = {}", cache_size));
}

// Of a hash that two packages claim, one text is known: that of the newest state, else the first.
std::uint32_t LedgerNodes::look_up(const DagHash& hash, const TextDigest& digest) const {
    const KnownSpec* const spec = texts_.find(hash) == nullptr ? specs_.find(hash) : nullptr;
    if (spec == nullptr) {
        return 0;
    }
    for (const auto& [spec_id, known, is_defined] : select_texts_(spec->spec_id, spec->spec_id)) {
        if (known == digest && !(is_defined && looks_to_place_.contains(spec->look_id))) {
            return static_cast<std::uint32_t>(spec->package_id);
        }
    }
    return 0;
}

std::string LedgerNodes::package(std::uint32_t package_id) const {
    if (auto name = select_package_(package_id).first()) {
        return *std::move(name);
    }
    throw DatabaseError(fmt::format("damaged: no package has the number {}", package_id));
}

std::string LedgerNodes::version_of(const DagHash& hash) const {
    return only_value<std::string>(database_,
                                   "SELECT v.version FROM spec x JOIN look l USING (look_id) "
                                   "JOIN version v USING (version_id) WHERE x.hash = ? "
                                   "ORDER BY x.spec_id",
                                   text_of(hash));
}

std::optional<std::string> LedgerNodes::compiler_of(const DagHash& hash) const {
    return first_value<std::string>(database_,
                                    "SELECT c.spec FROM spec x JOIN look l USING (look_id) "
                                    "JOIN compiler c USING (compiler_id) WHERE x.hash = ?",
                                    text_of(hash));
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
