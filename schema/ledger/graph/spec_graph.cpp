#include "schema/ledger/graph/spec_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

bool has_word(std::string_view list, std::string_view word) {
    return fmt::format(",{},", list).find(fmt::format(",{},", word)) != std::string::npos;
}

bool DependencyKind::has_types(const std::vector<std::string>& types) const {
    return std::ranges::all_of(types, [&](const auto& type) { return has_word(deptypes, type); });
}

bool DependencyKind::has_any_type(std::string_view types) const {
    constexpr std::array<std::string_view, 4> all = {"build", "link", "run", "test"};
    return std::ranges::any_of(all, [&](std::string_view type) {
        return has_word(types, type) && has_word(deptypes, type);
    });
}

Answer DependencyKind::is_for_any(const std::vector<std::string>& asked) const {
    if (asked.empty()) {
        return Answer::yes;
    }
    return virtuals ? answer(std::ranges::any_of(
                          asked, [&](const auto& name) { return has_word(*virtuals, name); }))
                    : Answer::unknown;
}

namespace {

void refuse_number(std::string_view what, std::int64_t id, bool is_right) {
    if (!is_right) {
        throw DatabaseError(fmt::format(
            "the ledger has a {} with the number {}: 'cacheledger check' says what is wrong", what,
            id));
    }
}

}  // namespace

std::vector<DependencyKind> read_edge_kinds(const SQLite::Database& database) {
    constexpr std::int64_t greatest = 1'000'000;
    std::vector<DependencyKind> all;
    for (const auto& [id, deptypes, virtuals, deptypes_id, since] :
         rows<std::int64_t, std::string, std::optional<std::string>, std::uint32_t, int>(
             database,
             "SELECT edge_kind_id, deptypes, virtuals, "
             "min(edge_kind_id) OVER (PARTITION BY deptypes), since "
             "FROM edge_kinds ORDER BY edge_kind_id")) {
        refuse_number("kind of dependency", id, id >= 1 && id <= greatest);
        DependencyKind kind{deptypes, virtuals, deptypes_id, since};
        kind.is_build = has_word(kind.deptypes, "build");
        kind.is_runtime = kind.has_any_type("link,run");
        all.resize(static_cast<std::size_t>(id) + 1);
        all.back() = std::move(kind);
    }
    return all;
}

namespace {

SpecSet all_specs(std::size_t size) {
    SpecSet all(size, true);
    all[0] = false;
    return all;
}

}  // namespace

std::size_t number_of_places(const SQLite::Database& database) {
    // The arrays take 17 bytes a number.
    constexpr std::int64_t greatest = 100'000'000;
    std::size_t places = 1;
    for (const auto& [first, last] :
         rows<std::int64_t, std::int64_t>(database,
                                          "SELECT ifnull((SELECT min(spec_id) FROM spec), 1), "
                                          "ifnull((SELECT max(spec_id) FROM spec), 0)")) {
        refuse_number("spec", first < 1 ? first : last, first >= 1 && last <= greatest);
        places = static_cast<std::size_t>(last) + 1;
    }
    return places;
}

SpecSet external_specs(const SQLite::Database& database) {
    SpecSet all(number_of_places(database));
    for (const auto& [spec_id] :
         rows<std::int64_t>(database,
                            "SELECT n.spec_id FROM recipe r CROSS JOIN node n USING (recipe_id) "
                            "WHERE r.external = 1")) {
        add_spec(all, spec_id);
    }
    return all;
}

SpecGraph::SpecGraph(const SQLite::Database& database)
    : SpecGraph(database, all_specs(number_of_places(database))) {}

SpecGraph::SpecGraph(const SQLite::Database& database, std::size_t size)
    : kinds_(read_edge_kinds(database)), forms_(size), is_read_(size) {}

SpecGraph::SpecGraph(const SQLite::Database& database, const SpecSet& starts)
    : SpecGraph(database, starts.size()) {
    leads_on_.assign(kinds_.size(), true);
    add(database, starts);
}

void SpecGraph::add(const SQLite::Database& database, const SpecSet& starts) {
    const EdgeRows edges(database,
                         "SELECT spec_id, dependency_id, edge_kind_id FROM dependency "
                         "WHERE spec_id BETWEEN ? AND ? ORDER BY spec_id");
    const std::vector<std::uint32_t> added = read(edges, down_, starts);
    const Select<std::size_t, std::uint8_t> nodes(
        database, "SELECT spec_id, form FROM node WHERE spec_id BETWEEN ? AND ?");
    for_ranges(std::span(added), [&](std::uint32_t first, std::uint32_t last) {
        for (const auto& [spec, form] : nodes(first, last)) {
            forms_[spec] = is_read_[spec] ? form : forms_[spec];
        }
    });
    up_ = {};
}

void SpecGraph::read_above(const SQLite::Database& database, const SpecSet& starts) {
    const EdgeRows edges(database,
                         "SELECT dependency_id, spec_id, edge_kind_id FROM dependency "
                         "WHERE dependency_id BETWEEN ? AND ? ORDER BY dependency_id");
    read(edges, up_, starts);
}

// Specs are read in rounds: each reads what the one before it found. Most of what a snapshot needs
// it has, so there are few. Gives what was read, in order.
std::vector<std::uint32_t> SpecGraph::read(const EdgeRows& rows, Edges& all,
                                           const SpecSet& starts) {
    all.ranges.resize(size());
    std::vector<std::uint32_t> added;
    std::vector<std::uint32_t> round;
    SpecSet wanted(size());
    const auto want = [&](std::uint32_t spec) {
        if (spec != 0 && !is_read_[spec]) {
            is_read_[spec] = wanted[spec] = true;
            round.push_back(spec);
        }
    };
    for (const std::uint32_t spec : members(starts)) {
        want(spec);
    }
    while (!round.empty()) {
        const std::size_t known = all.edges.size();
        for_ranges(round, [&](std::uint32_t first, std::uint32_t last) {
            add_rows(rows(first, last), all, wanted);
        });
        for (const std::uint32_t spec : round) {
            wanted[spec] = false;
        }
        added.insert(added.end(), round.begin(), round.end());
        round.clear();
        for (std::size_t i = known; i < all.edges.size(); ++i) {
            const auto [spec, kind] = all.edges[i];
            if (leads_on_[kind]) {
                want(spec);
            }
        }
        std::ranges::sort(round);
    }
    std::ranges::sort(added);
    return added;
}

// Only in a damaged file does an edge lead from or to no spec, or is of no kind: it is left out, as
// by a join.
void SpecGraph::add_rows(const Rows<std::int64_t, std::int64_t, std::int64_t>& rows, Edges& all,
                         const SpecSet& wanted) const {
    const auto number = [](std::int64_t id, std::size_t end) {
        return id >= 0 && static_cast<std::uint64_t>(id) < end ? static_cast<std::uint32_t>(id)
                                                               : std::uint32_t{0};
    };
    for (const auto& [from, to, kind] : rows) {
        const std::uint32_t spec = number(from, size());
        if (!wanted[spec]) {
            continue;
        }
        const Edge edge{number(to, size()), number(kind, kinds_.size())};
        if (edge.spec == 0 || edge.kind == 0) {
            continue;
        }
        auto& [first, last] = all.ranges[spec];
        if (first == last) {
            first = static_cast<std::uint32_t>(all.edges.size());
        }
        all.edges.push_back(edge);
        last = static_cast<std::uint32_t>(all.edges.size());
    }
}

std::span<const SpecGraph::Edge> SpecGraph::dependents(std::size_t spec) const {
    if (up_.ranges.empty()) {
        up_.ranges.resize(size());
        for (const Edge& edge : down_.edges) {
            ++up_.ranges[edge.spec].last;
        }
        std::uint32_t end = 0;
        for (auto& [first, last] : up_.ranges) {
            first = end;
            end += last;
            last = first;
        }
        up_.edges.resize(down_.edges.size());
        for (std::uint32_t from = 0; from < size(); ++from) {
            for (const Edge& edge : down_.of(from)) {
                up_.edges[up_.ranges[edge.spec].last++] = {from, edge.kind};
            }
        }
    }
    return up_.of(spec);
}

namespace {

bool is_place(const SpecSet& specs, std::int64_t spec_id) {
    return spec_id > 0 && static_cast<std::uint64_t>(spec_id) < specs.size();
}

}  // namespace

void add_spec(SpecSet& specs, std::int64_t spec_id) {
    if (is_place(specs, spec_id)) {
        specs[static_cast<std::size_t>(spec_id)] = true;
    }
}

bool has_spec(const SpecSet& specs, std::int64_t spec_id) {
    return is_place(specs, spec_id) && specs[static_cast<std::size_t>(spec_id)];
}

std::vector<std::uint32_t> members(const SpecSet& specs) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t spec = 0; spec < specs.size(); ++spec) {
        if (specs[spec]) {
            all.push_back(spec);
        }
    }
    return all;
}

SpecSet listed_by_snapshots(const SQLite::Database& database) {
    SpecSet listed(number_of_places(database));
    for (const auto& [spec_id] : rows<std::int64_t>(
             database,
             "SELECT spec_id FROM presence UNION ALL SELECT spec_id FROM root_presence")) {
        add_spec(listed, spec_id);
    }
    return listed;
}

SpecSet needed_by_snapshots(const SQLite::Database& database) {
    SpecSet listed = listed_by_snapshots(database);
    const SpecGraph graph(database, listed);
    return with_dependencies(graph, std::move(listed), SpecGraph::all_edges());
}

}  // namespace cacheledger
