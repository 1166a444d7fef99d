#include <optional>
#include <string>

#include "reports/chosen_specs.hpp"
#include "reports/diff_rows.hpp"

// The rows about look groups: rebuilt and copies-changed.
namespace cacheledger {

namespace {

struct Member {
    Side side = Side::before;
    std::string hash;
};

/// A look group with changes.
struct LookGroup {
    Look look;                     ///< the smallest of the group
    std::int64_t compiler_id = 0;  ///< of the group
    std::vector<Member> members;   ///< in the order of hashes
    bool is_rebuilt = false;       ///< some of it
    bool has_stack = false;        ///< some of it

    std::int64_t count(Side side) const {
        return std::count_if(members.begin(), members.end(),
                             [&](const Member& member) { return member.side == side; });
    }
    /// Of one side, or of both; NULL where there are none.
    Value hashes(std::optional<Side> side = {}) const {
        std::string text;
        for (const Member& member : members) {
            if (!side || member.side == *side) {
                text.append(text.empty() ? 0 : 1, ',').append(member.hash);
            }
        }
        return text.empty() ? Value() : Value(std::move(text));
    }
};

std::vector<DriftRow> grouped_rows(const DiffSource& source) {
    std::vector<DriftRow> rows;
    for (const DriftRow& row : source.drift.rows()) {
        if (row.group_look_id != 0 && source.filter.has_package(row.package_id)) {
            rows.push_back(row);
        }
    }
    return rows;
}

LookGroup make_group(const DiffSource& source, std::span<const DriftRow> rows) {
    LookGroup group;
    group.look = source.drift.looks().find(rows[0].group_look_id);
    group.compiler_id = rows[0].group_compiler_id;
    for (const DriftRow& row : rows) {
        group.is_rebuilt = group.is_rebuilt || row.cause == Cause::rebuilt;
        group.has_stack = group.has_stack || source.filter.has_stack_of(row);
    }
    return group;
}

/// The groups of which some specs are rebuilt, or those of which none are.
std::vector<LookGroup> find_groups(const DiffSource& source, bool rebuilt) {
    std::vector<LookGroup> groups;
    auto rows = grouped_rows(source);
    source.drift.hashes().expect(rows.size());
    for_each_group(
        rows, [](const DriftRow& row) { return row.group_look_id; },
        [&](std::span<const DriftRow> members) {
            LookGroup group = make_group(source, members);
            if (group.is_rebuilt != rebuilt || !group.has_stack) {
                return;
            }
            for (const DriftRow& row : members) {
                group.members.push_back({row.side, source.drift.hashes().find(row.spec_id)});
            }
            std::sort(group.members.begin(), group.members.end(),
                      [](const Member& a, const Member& b) { return a.hash < b.hash; });
            groups.push_back(std::move(group));
        });
    return groups;
}

auto order_of(const DiffSource& source, const LookGroup& group) {
    return std::tuple(place_of(source, group.look), source.names.compilers.rank(group.compiler_id),
                      source.names.variant_sets.rank(group.look.variant_set_id));
}

/// The columns kind to variants.
std::vector<Value> first_cells(const DiffSource& source, const char* kind, const LookGroup& group) {
    const LookNames& names = source.names;
    const Look& look = group.look;
    std::vector<Value> cells;
    cells.reserve(13);  // all that follow, too
    cells.emplace_back(kind);
    cells.push_back(names.packages.value(look.package_id));
    cells.push_back(names.versions.value(look.version_id));
    for (const std::size_t column : {0U, 1U, 2U}) {
        cells.push_back(names.systems.value(look.arch_id, column));
    }
    cells.push_back(names.compilers.value(group.compiler_id));
    cells.push_back(names.variant_sets.value(look.variant_set_id));
    return cells;
}

/// How many specs the snapshot of this side has of the group.
std::int64_t copies(const DiffSource& source, Side side, const LookGroup& group) {
    PresentLooks& present = source.drift.present();
    const std::size_t specs = group.compiler_id != 0 ? present.count(side, group.look)
                                                     : present.count_build(side, group.look);
    return static_cast<std::int64_t>(specs);
}

}  // namespace

ResultTable rebuilt_rows(const DiffSource& source) {
    ResultTable table{{"kind", "package", "version", "platform", "os", "target", "compiler",
                       "variants", "added", "removed", "hashes_before", "hashes_after"},
                      {}};
    auto groups = find_groups(source, true);
    for_each_group(
        groups, [&](const LookGroup& group) { return order_of(source, group); },
        [&](std::span<const LookGroup> same) {
            for (const LookGroup& group : same) {
                auto& row = table.rows.emplace_back(first_cells(source, "rebuilt", group));
                row.emplace_back(group.count(Side::after));
                row.emplace_back(group.count(Side::before));
                row.push_back(group.hashes(Side::before));
                row.push_back(group.hashes(Side::after));
            }
        });
    return table;
}

ResultTable copies_rows(const DiffSource& source) {
    ResultTable table{{"kind", "package", "version", "platform", "os", "target", "compiler",
                       "variants", "copies_before", "copies_after", "added", "removed", "hashes"},
                      {}};
    auto groups = find_groups(source, false);
    for_each_group(
        groups, [&](const LookGroup& group) { return order_of(source, group); },
        [&](std::span<const LookGroup> same) {
            for (const LookGroup& group : same) {
                auto& row = table.rows.emplace_back(first_cells(source, "copies-changed", group));
                row.emplace_back(copies(source, Side::before, group));
                row.emplace_back(copies(source, Side::after, group));
                row.emplace_back(group.count(Side::after));
                row.emplace_back(group.count(Side::before));
                row.push_back(group.hashes());
            }
        });
    return table;
}

}  // namespace cacheledger
