#include "reports/engine/reasons/edge_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace cacheledger {

namespace {

// The forms from which on hashes cover more types of edges (DependencyKind::since).
constexpr std::array<std::uint8_t, 3> levels = {5, 3, 1};

void add_part(std::optional<std::string>& text, const std::string& part) {
    text = text ? *text + "; " + part : part;
}

}  // namespace

std::uint8_t EdgeReasons::level(std::uint32_t spec) const {
    const std::uint8_t form = graph_.form(spec);
    const auto* const found =
        std::ranges::find_if(levels, [&](std::uint8_t level) { return level <= form; });
    return found == levels.end() ? std::uint8_t{0} : *found;
}

// A number of the packages that a spec depends on, with the types: equal for equal ones.
std::uint32_t EdgeReasons::edges_of(std::uint32_t spec, std::uint8_t level) {
    const auto [place, is_new] = edges_.try_emplace({spec, level});
    if (is_new) {
        std::vector<Kind> kinds;
        for (const SpecGraph::Edge& edge : graph_.dependencies(spec)) {
            const DependencyKind& kind = graph_.kinds()[edge.kind];
            if (kind.since <= level) {
                constexpr int bits_of_types = 32;
                kinds.push_back(Kind{reading_.facts(edge.spec).package} << bits_of_types |
                                kind.deptypes_id);
            }
        }
        std::ranges::sort(kinds);
        std::string key(kinds.size() * sizeof(Kind), '\0');
        if (!kinds.empty()) {
            std::memcpy(key.data(), kinds.data(), key.size());
        }
        place->second =
            numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(numbers_.size()))
                .first->second;
    }
    return place->second;
}

std::vector<EdgeReasons::Earlier> EdgeReasons::same_as(std::size_t node) const {
    std::vector<Earlier> all;
    for (const std::uint32_t place : own_.of(node).same) {
        for (const std::uint32_t spec : own_.at(place).gone) {
            all.push_back({spec, true});
        }
        for (const std::uint32_t spec : own_.at(place).there) {
            all.push_back({spec, false});
        }
    }
    return all;
}

// Whether an earlier node depends on the same packages in the same way, or may: its dependencies
// are not known.
bool EdgeReasons::has_like(std::size_t node) {
    const std::uint32_t spec = compared_.nodes[node].spec;
    for (const std::uint32_t place : own_.of(node).same) {
        for (const std::uint8_t full : {std::uint8_t{0}, levels[0], levels[1], levels[2]}) {
            const std::uint8_t shared = std::min(level(spec), full);
            const auto [known, is_new] = earlier_edges_.try_emplace({place, full, shared});
            if (is_new) {
                for (const auto* const specs : {&own_.at(place).gone, &own_.at(place).there}) {
                    for (const std::uint32_t one : *specs) {
                        if (level(one) == full) {
                            known->second.insert(edges_of(one, shared));
                        }
                    }
                }
            }
            if (full == 0 ? !known->second.empty()
                          : known->second.contains(edges_of(spec, shared))) {
                return true;
            }
        }
    }
    return false;
}

// The earlier node that is named: one that is gone, with the smallest hash.
EdgeReasons::Earlier EdgeReasons::first_of(const std::vector<Earlier>& earlier) {
    return *std::ranges::min_element(earlier, [&](const Earlier& one, const Earlier& other) {
        return one.is_gone != other.is_gone ? one.is_gone
                                            : reading_.hash(one.spec) < reading_.hash(other.spec);
    });
}

/// What of two nodes with the same own attributes and as many edges of each package differs.
struct EdgeReasons::Comparison {
    bool uses = false, virtuals = false, features = false, form = false;
};

EdgeReasons::Comparison EdgeReasons::compare(std::uint32_t now, std::uint32_t before) {
    constexpr int first_eras = 2;  // forms 1 and 2 are one era
    const std::uint8_t shared = std::min(level(now), level(before));
    Comparison found;
    for (const SpecGraph::Edge& edge : graph_.dependencies(now)) {
        const DependencyKind& kind = graph_.kinds()[edge.kind];
        if (kind.since > shared) {
            continue;
        }
        bool has_it = false;
        for (const SpecGraph::Edge& other : graph_.dependencies(before)) {
            const DependencyKind& other_kind = graph_.kinds()[other.kind];
            if (other.spec == edge.spec && other_kind.deptypes_id == kind.deptypes_id) {
                has_it = true;
                found.virtuals = found.virtuals || (kind.virtuals && other_kind.virtuals &&
                                                    kind.virtuals != other_kind.virtuals);
            }
        }
        // There are as many edges of each package: one that the other lacks shows that it has
        // others.
        found.uses = found.uses || !has_it;
    }
    const std::uint32_t features = reading_.facts(now).target_definition;
    const std::uint32_t other_features = reading_.facts(before).target_definition;
    found.features = features != 0 && other_features != 0 && features != other_features;
    found.form = graph_.form(before) != 0 && std::max<int>(graph_.form(now), first_eras) !=
                                                 std::max<int>(graph_.form(before), first_eras);
    return found;
}

OwnReason EdgeReasons::told_last(std::size_t node) {
    const std::uint32_t spec = compared_.nodes[node].spec;
    std::vector<Earlier> like;
    std::vector<Earlier> like_but_virtuals;  // but perhaps for virtuals
    bool uses = true;                        // whether each uses other builds, and so on
    bool virtuals = true;
    bool features = true;
    bool any = true;
    for (const Earlier& one : same_as(node)) {
        const std::uint8_t shared = std::min(level(spec), level(one.spec));
        if (level(one.spec) != 0 && edges_of(spec, shared) != edges_of(one.spec, shared)) {
            continue;
        }
        like.push_back(one);
        const Comparison differs = compare(spec, one.spec);
        if (!differs.uses) {
            like_but_virtuals.push_back(one);
        }
        uses = uses && differs.uses;
        virtuals = virtuals && (differs.uses || differs.virtuals);
        features = features && (differs.uses || differs.virtuals || differs.features);
        any = any && (differs.uses || differs.virtuals || differs.features || differs.form);
    }
    if (uses) {
        const std::uint32_t before = first_of(like).spec;
        return {"edges", builds_that_differ(spec, before, std::min(level(spec), level(before)))};
    }
    if (virtuals) {
        const std::uint32_t before = first_of(like_but_virtuals).spec;
        return {"edges",
                packages_that_differ(spec, before, std::min(level(spec), level(before)), true)};
    }
    if (!any) {
        // Another Spack wrote the text anew: what was hashed, such as the features of the target,
        // is not known.
        const bool is_respelled =
            reading_.facts(spec).is_respelled || reading_.facts(first_of(like).spec).is_respelled;
        return {"unexplained", is_respelled ? "respelled" : ""};
    }
    return features ? OwnReason{"target-definition", "features of the target"}
                    : OwnReason{"hash-definition", "definition of the hash"};
}

std::optional<OwnReason> EdgeReasons::of(std::size_t node) {
    if (!has_like(node)) {
        return OwnReason{"edges",
                         edges_text(compared_.nodes[node].spec, first_of(same_as(node)).spec)};
    }
    return compared_.nodes[node].below.empty() ? std::optional(told_last(node)) : std::nullopt;
}

std::optional<std::string> EdgeReasons::edges_text(std::uint32_t now, std::uint32_t before) {
    const std::uint8_t shared = std::min(level(now), level(before));
    const auto [place, is_new] =
        texts_.try_emplace({edges_of(now, shared), edges_of(before, shared)});
    if (is_new) {
        place->second = packages_that_differ(now, before, shared, false);
    }
    return place->second;
}

std::optional<std::string> EdgeReasons::difference(std::uint32_t now, std::uint32_t before) {
    return level(now) != 0 && level(before) != 0 ? edges_text(now, before) : std::nullopt;
}

// The types (or virtuals) of all edges to each package, on both sides, where these differ.
std::optional<std::string> EdgeReasons::packages_that_differ(std::uint32_t now,
                                                             std::uint32_t before,
                                                             std::uint8_t level, bool by_virtuals) {
    struct Edge {
        std::string deptypes;
        std::uint32_t spec = 0;
        std::optional<std::string> virtuals;
    };
    std::map<std::string, std::array<std::vector<Edge>, 2>> by_package;
    for (const bool is_new : {false, true}) {
        for (const SpecGraph::Edge& edge : graph_.dependencies(is_new ? now : before)) {
            const DependencyKind& kind = graph_.kinds()[edge.kind];
            if (kind.since <= level) {
                by_package[reading_.package(reading_.facts(edge.spec).package)][is_new ? 1 : 0]
                    .push_back({kind.deptypes, edge.spec, kind.virtuals});
            }
        }
    }
    std::optional<std::string> text;
    for (auto& [package, sides] : by_package) {
        std::array<std::optional<std::string>, 2> words;
        for (std::size_t side = 0; side < sides.size(); ++side) {
            std::ranges::sort(sides[side], {},
                              [](const Edge& edge) { return std::tie(edge.deptypes, edge.spec); });
            for (const Edge& edge : sides[side]) {
                const std::optional<std::string> word =
                    by_virtuals ? edge.virtuals : std::optional(edge.deptypes);
                if (word) {
                    words[side] = words[side] ? *words[side] + " " + *word : *word;
                }
            }
        }
        const auto& [earlier, later] = words;
        if (by_virtuals) {
            if (earlier && later && *earlier != *later) {
                add_part(text, "virtuals: " + package);
            }
        } else if (earlier != later) {
            const char* const what = !earlier ? "dependency added" : !later ? "removed" : "edge";
            add_part(text, fmt::format("{}: {}", what, package));
        }
    }
    return text;
}

// Builds that only one of the two uses: "uses: cmake 3.26.3 -> cmake 3.27.9". Two builds of one
// version are told apart by their hashes.
std::string EdgeReasons::builds_that_differ(std::uint32_t now, std::uint32_t before,
                                            std::uint8_t level) {
    using Uses = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // a dependency, the types
    const auto uses_of = [&](std::uint32_t spec) {
        Uses uses;
        for (const SpecGraph::Edge& edge : graph_.dependencies(spec)) {
            const DependencyKind& kind = graph_.kinds()[edge.kind];
            if (kind.since <= level) {
                uses.emplace(edge.spec, kind.deptypes_id);
            }
        }
        return uses;
    };
    using Build = std::tuple<std::string, std::string, std::string>;  // package, version, hash
    const auto builds_of = [&](const Uses& uses, const Uses& others) {
        std::set<Build> builds;
        for (const auto& use : uses) {
            if (!others.contains(use)) {
                const SpecFacts& facts = reading_.facts(use.first);
                builds.emplace(reading_.package(facts.package), reading_.version(facts.version),
                               reading_.hash(use.first));
            }
        }
        return builds;
    };
    const Uses old_uses = uses_of(before);
    const Uses new_uses = uses_of(now);
    const std::array<std::set<Build>, 2> sides = {builds_of(old_uses, new_uses),
                                                  builds_of(new_uses, old_uses)};
    std::array<std::set<std::pair<std::string, std::string>>, 2> versions;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        for (const auto& [package, version, hash] : sides[side]) {
            versions[side].emplace(package, version);
        }
    }
    std::map<std::string, std::array<std::string, 2>> by_package;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        for (const auto& [package, version, hash] : sides[side]) {
            constexpr std::size_t short_hash = 7;
            std::string& words = by_package[package][side];
            words += fmt::format("{}{} {}{}", words.empty() ? "" : ", ", package, version,
                                 versions[1 - side].contains({package, version})
                                     ? "/" + hash.substr(0, short_hash)
                                     : "");
        }
    }
    std::optional<std::string> text;
    for (const auto& [package, words] : by_package) {
        add_part(text, fmt::format("uses: {} -> {}", words[0], words[1]));
    }
    return text.value_or("");
}

}  // namespace cacheledger
