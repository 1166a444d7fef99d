#include "reports/diff_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string>

#include "reports/chosen_specs.hpp"

namespace cacheledger {

namespace {

/// 0 for 'added', which sorts before 'removed'.
int change_rank(Side side) {
    return side == Side::after ? 0 : 1;
}

std::string kind(const char* what, const ChosenSpec& spec) {
    return fmt::format("{}-{}", what, change_word(spec.row.side));
}

std::int64_t count(std::span<const ChosenSpec> specs) {
    return static_cast<std::int64_t>(specs.size());
}

/// Each text once, in order, of the specs of one side.
template <typename Text>
Value texts_of(std::span<const ChosenSpec> specs, Side side, Text text) {
    std::set<std::string> texts;
    for (const ChosenSpec& spec : specs) {
        if (spec.row.side == side) {
            text(spec.look, texts);
        }
    }
    return joined({texts.begin(), texts.end()});
}

}  // namespace

ResultTable cause_rows(const DiffSource& source) {
    constexpr std::array causes = {Cause::package,  Cause::version, Cause::target, Cause::compiler,
                                   Cause::variants, Cause::rebuilt, Cause::copies};
    std::array<std::array<std::int64_t, 2>, causes.size()> counts = {};
    for (const DriftRow& row : source.drift.rows()) {
        if (source.filter.has(row)) {
            ++counts[static_cast<std::size_t>(row.cause)][static_cast<std::size_t>(row.side)];
        }
    }
    ResultTable table{{"cause", "added", "removed"}, {}};
    for (const Cause cause : causes) {
        const auto [removed, added] = counts[static_cast<std::size_t>(cause)];
        table.rows.push_back({std::string(cause_word(cause)), added, removed});
    }
    return table;
}

ResultTable package_rows(const DiffSource& source) {
    ResultTable table{{"kind", "package", "specs"}, {}};
    auto specs = choose(source, Cause::package);
    for_each_group(
        specs,
        [&](const ChosenSpec& spec) {
            return std::pair(change_rank(spec.row.side),
                             source.names.packages.rank(spec.look.package_id));
        },
        [&](std::span<const ChosenSpec> group) {
            table.rows.push_back({kind("package", group[0]),
                                  source.names.packages.value(group[0].look.package_id),
                                  count(group)});
        });
    return table;
}

ResultTable version_rows(const DiffSource& source) {
    ResultTable table{{"kind", "package", "version", "specs"}, {}};
    auto specs = choose(source, Cause::version);
    for_each_group(
        specs,
        [&](const ChosenSpec& spec) {
            return std::tuple(change_rank(spec.row.side),
                              source.names.packages.rank(spec.look.package_id),
                              source.names.versions.rank(spec.look.version_id));
        },
        [&](std::span<const ChosenSpec> group) {
            const Look& look = group[0].look;
            table.rows.push_back({kind("version", group[0]),
                                  source.names.packages.value(look.package_id),
                                  source.names.versions.value(look.version_id), count(group)});
        });
    return table;
}

ResultTable target_rows(const DiffSource& source) {
    ResultTable table{{"kind", "package", "version", "gained", "lost", "added", "removed"}, {}};
    const auto add_system = [&](const Look& look, std::set<std::string>& texts) {
        if (const auto& systems = source.names.systems; look.arch_id != 0) {
            texts.insert(fmt::format("{}-{}-{}", systems.text(look.arch_id, 0),
                                     systems.text(look.arch_id, 1), systems.text(look.arch_id, 2)));
        }
    };
    auto specs = choose(source, Cause::target);
    for_each_group(
        specs,
        [&](const ChosenSpec& spec) {
            return std::pair(source.names.packages.rank(spec.look.package_id),
                             source.names.versions.rank(spec.look.version_id));
        },
        [&](std::span<const ChosenSpec> group) {
            const Look& look = group[0].look;
            table.rows.push_back({"target-changed", source.names.packages.value(look.package_id),
                                  source.names.versions.value(look.version_id),
                                  texts_of(group, Side::after, add_system),
                                  texts_of(group, Side::before, add_system),
                                  count_of(group, Side::after), count_of(group, Side::before)});
        });
    return table;
}

ResultTable compiler_rows(const DiffSource& source) {
    ResultTable table{{"kind", "package", "version", "platform", "os", "target", "before", "after",
                       "added", "removed"},
                      {}};
    const auto add_compiler = [&](const Look& look, std::set<std::string>& texts) {
        if (look.compiler_id != 0) {
            texts.insert(source.names.compilers.text(look.compiler_id));
        }
    };
    auto specs = choose(source, Cause::compiler);
    for_each_group(
        specs, [&](const ChosenSpec& spec) { return place_of(source, spec.look); },
        [&](std::span<const ChosenSpec> group) {
            const Look& look = group[0].look;
            const Names& systems = source.names.systems;
            table.rows.push_back({"compiler-changed", source.names.packages.value(look.package_id),
                                  source.names.versions.value(look.version_id),
                                  systems.value(look.arch_id, 0), systems.value(look.arch_id, 1),
                                  systems.value(look.arch_id, 2),
                                  texts_of(group, Side::before, add_compiler),
                                  texts_of(group, Side::after, add_compiler),
                                  count_of(group, Side::after), count_of(group, Side::before)});
        });
    return table;
}

}  // namespace cacheledger
