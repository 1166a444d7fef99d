#include "reports/questions/wanted/by_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "reports/questions/wanted/build_plan.hpp"

namespace cacheledger {

namespace {

/// Roots that are told apart from the others.
struct RootPart {
    RootCoverage told;
    std::vector<WantedRoot> roots;
};

RootPart& part_of_group(const std::string& name, std::vector<RootPart>& parts) {
    const auto found =
        std::ranges::find(parts, name, [](const RootPart& part) { return part.told.name; });
    if (found != parts.end()) {
        ++found->told.roots;
        return *found;
    }
    parts.emplace_back().told.name = name;
    return parts.back();
}

std::vector<RootPart> parts_of(const WantedGraph& graph, RootsBy by) {
    std::vector<RootPart> parts;
    for (const WantedRoot& root : graph.roots) {
        const SpecWords& spec = graph.nodes[root.node].spec;
        if (by == RootsBy::group) {
            part_of_group(root.group.value_or(""), parts).roots.push_back(root);
            continue;
        }
        RootPart& part = parts.emplace_back();
        part.told.name = !root.text.empty() ? root.text
                         : spec.version     ? fmt::format("{}@{}", spec.package, *spec.version)
                                            : spec.package;
        part.told.hash = spec.hash;
        part.roots.push_back(root);
    }
    return parts;
}

}  // namespace

std::vector<RootCoverage> cover_by(WantedGraph graph, const std::vector<bool>& is_there,
                                   RootsBy by) {
    std::vector<RootPart> parts = parts_of(graph, by);
    std::vector<std::vector<std::uint32_t>> builds(parts.size());
    std::vector<std::size_t> users(graph.nodes.size());  // how many parts must build each node
    for (std::size_t i = 0; i < parts.size(); ++i) {
        graph.roots = parts[i].roots;
        RootCoverage& told = parts[i].told;
        told.runtime = close_over(graph, is_there, Needs::runtime).count();
        std::set<std::string> first;
        for (const auto& [node, wave] : plan_builds(graph, is_there).steps) {
            builds[i].push_back(node);
            ++users[node];
            if (wave == 1) {
                first.insert(graph.nodes[node].spec.package);
            }
        }
        told.to_build = std::ssize(builds[i]);
        told.first.assign(first.begin(), first.end());
    }
    std::vector<RootCoverage> all;
    all.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i].told.alone =
            std::ranges::count(builds[i], 1U, [&](std::uint32_t node) { return users[node]; });
        all.push_back(std::move(parts[i].told));
    }
    std::ranges::stable_sort(all, {}, [](const RootCoverage& one) {
        return std::tuple(-one.to_build, one.name, one.hash);
    });
    return all;
}

}  // namespace cacheledger
