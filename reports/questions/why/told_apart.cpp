#include "reports/questions/why/told_apart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "reports/engine/present/listed_graph.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/specs/matching/difference.hpp"
#include "schema/specs/spelling/variants.hpp"

namespace cacheledger {

namespace {

/// What only one of two graphs has of a package.
struct OfOneSide {
    std::int64_t depth = 0;
    std::vector<SpecWords> before{}, after{};
};

std::vector<Value> change_row(SQLite::Database& database, std::int64_t depth,
                              const SpecWords& before, const SpecWords& after) {
    const auto words = difference(before, after).words;
    std::string change = words.empty() ? words_of_other_builds(database, before.hash, after.hash)
                                       : fmt::format("{}", fmt::join(words, "; "));
    return {depth, before.package, change.empty() ? "nothing known" : std::move(change),
            before.hash, after.hash};
}

/// Pairs of those that are nearest to each other, and what is left.
void add_changes(SQLite::Database& database, const OfOneSide& sides, ResultTable& changes) {
    auto [depth, before, after] = sides;
    while (!before.empty() && !after.empty()) {
        auto nearest = std::pair(before.begin(), after.begin());
        for (auto one = before.begin(); one != before.end(); ++one) {
            for (auto other = after.begin(); other != after.end(); ++other) {
                if (difference(*one, *other) < difference(*nearest.first, *nearest.second)) {
                    nearest = {one, other};
                }
            }
        }
        changes.rows.push_back(change_row(database, depth, *nearest.first, *nearest.second));
        before.erase(nearest.first);
        after.erase(nearest.second);
    }
    for (const SpecWords& spec : before) {
        changes.rows.push_back({depth, spec.package, "only in the first", spec.hash, Value()});
    }
    for (const SpecWords& spec : after) {
        changes.rows.push_back({depth, spec.package, "only in the second", Value(), spec.hash});
    }
}

std::string beginning_of(const std::string& hash) {
    constexpr std::size_t shown = 7;
    return hash.substr(0, shown);
}

/// What a spec has of itself, in words by which it may differ from others.
std::vector<std::string> own_words(const SpecWords& spec) {
    std::vector<std::string> own;
    const auto add = [&](const char* before, const std::optional<std::string>& text) {
        own.push_back(text ? before + *text : std::string());
    };
    add("@", spec.version);
    if (spec.variants) {
        for (const Variant& variant : parse_variant_text(*spec.variants).variants) {
            own.push_back(variant_text(variant.name, variant.values));
        }
    }
    add("%", spec.compiler);
    add("platform=", spec.platform);
    add("os=", spec.os);
    add("target=", spec.target);
    add("namespace=", spec.name_space);
    own.push_back(spec.package_hash ? "recipe " + beginning_of(*spec.package_hash) : "");
    own.push_back(spec.flags && spec.flags->empty() ? "no flags" : spec.flags.value_or(""));
    own.push_back(!spec.patches           ? ""
                  : spec.patches->empty() ? "no patches"
                                          : "patches " + *spec.patches);
    own.push_back(spec.external.value_or("no") == "no" ? "" : "external: " + *spec.external);
    own.push_back(spec.spliced.value_or("no") == "no" ? ""
                                                      : "built as " + beginning_of(*spec.spliced));
    return own;
}

/// The specs of a layer, what these need over edges that their hashes cover, and how far below each
/// is at the least: 0 themselves, 1 what they depend on.
std::map<std::uint32_t, std::int64_t> depths_below(const SpecGraph& graph,
                                                   std::vector<std::uint32_t> layer) {
    std::map<std::uint32_t, std::int64_t> depths;
    for (const std::uint32_t spec : layer) {
        depths.emplace(spec, 0);
    }
    for (std::int64_t depth = 1; !layer.empty(); ++depth) {
        std::vector<std::uint32_t> below;
        for (const std::uint32_t spec : layer) {
            for (const SpecGraph::Edge& edge : graph.dependencies(spec)) {
                if (graph.is_hashed(spec, edge) && depths.emplace(edge.spec, depth).second) {
                    below.push_back(edge.spec);
                }
            }
        }
        layer = std::move(below);
    }
    return depths;
}

}  // namespace

ResultTable changes_between_specs(SQLite::Database& database, const std::string& from,
                                  const std::string& to) {
    PairReading reading(database);
    const ListedGraph listed = reading.between_specs(from, to);
    const auto before = depths_below(listed.graph, members(listed.from));
    const auto after = depths_below(listed.graph, members(listed.to));
    SpecReader reader(database);
    ResultTable changes{{"depth", "package", "change", "before", "after"}, {}};
    for (const std::uint32_t one : members(listed.from)) {
        for (const std::uint32_t other : members(listed.to)) {
            if ((before.contains(other) || after.contains(one)) &&
                reader.read(one).package != reader.read(other).package) {
                return changes;  // one is what the other needs
            }
        }
    }
    std::map<std::pair<bool, std::string>, OfOneSide> packages;  // whether it is below, and package
    const auto add = [&](const auto& side, const auto& other, auto member) {
        for (const auto& [spec, depth] : side) {
            if (other.contains(spec)) {
                continue;
            }
            SpecWords words = reader.read(spec);
            OfOneSide& sides =
                packages.try_emplace({depth > 0, words.package}, OfOneSide{depth}).first->second;
            sides.depth = std::min(sides.depth, depth);
            (sides.*member).push_back(std::move(words));
        }
    };
    add(before, after, &OfOneSide::before);
    add(after, before, &OfOneSide::after);
    for (const auto& [package, sides] : packages) {
        add_changes(database, sides, changes);
    }
    // What changed itself stands before what only uses others.
    const auto order = [](const std::vector<Value>& row) {
        const auto& change = std::get<std::string>(row[2]);
        return std::tuple(row[0], change.starts_with("dependencies: "), row[1]);
    };
    std::ranges::stable_sort(changes.rows, {}, order);
    return changes;
}

/// The builds of a package that a spec needs, those least far below it.
struct TellingApart::NearestBuilds {
    std::int64_t depth = std::numeric_limits<std::int64_t>::max();
    std::vector<std::uint32_t> specs{};

    void add(std::uint32_t spec, std::int64_t of_depth) {
        if (of_depth < depth) {
            depth = of_depth;
            specs.clear();
        }
        if (of_depth == depth) {
            specs.push_back(spec);
        }
    }
};

/// Numbers of specs that are not told apart yet, and what is said of each spec.
struct TellingApart::Groups {
    std::vector<std::size_t> of;
    std::vector<std::string> said;

    /// Divides them by these texts, and says those that tell specs apart.
    void divide(const std::vector<std::string>& texts) {
        std::map<std::size_t, std::map<std::string, std::size_t>> numbers;  // by old number
        std::size_t number = 0;
        for (std::size_t i = 0; i < of.size(); ++i) {
            number += numbers[of[i]].try_emplace(texts[i], number).second ? 1 : 0;
        }
        for (std::size_t i = 0; i < of.size(); ++i) {
            const auto& divided = numbers.at(of[i]);
            if (divided.size() > 1 && !texts[i].empty()) {
                said[i] += (said[i].empty() ? "" : "; ") + texts[i];
            }
            of[i] = divided.at(texts[i]);
        }
    }
};

const SpecWords& TellingApart::words(std::uint32_t spec) {
    const auto found = words_.find(spec);
    return found != words_.end() ? found->second
                                 : words_.emplace(spec, reader_.read(spec)).first->second;
}

// Of the builds of one package that each spec uses: the words that not all of them have.
std::vector<std::string> TellingApart::texts_of(const std::string& package,
                                                const std::vector<NearestBuilds>& builds) {
    std::map<std::uint32_t, std::vector<std::string>> own;
    std::map<std::string, std::size_t> times;
    for (const auto& [depth, of_spec] : builds) {
        for (const std::uint32_t build : of_spec) {
            const auto [place, is_new] = own.try_emplace(build);
            if (is_new) {
                place->second = own_words(words(build));
                for (const std::string& word :
                     std::set(place->second.begin(), place->second.end())) {
                    ++times[word];
                }
            }
        }
    }
    std::vector<std::string> texts;
    for (const auto& [depth, of_spec] : builds) {
        std::set<std::string> differing;
        for (const std::uint32_t build : of_spec) {
            std::string text;
            for (const std::string& word : own.at(build)) {
                if (!word.empty() && times.at(word) < own.size()) {
                    text += (text.empty() ? "" : " ") + word;
                }
            }
            const bool has_version = text.starts_with('@');
            differing.insert(package.empty()
                                 ? text
                                 : fmt::format("^{}{}{}", package,
                                               text.empty() || has_version ? "" : " ", text));
        }
        texts.push_back(of_spec.empty() ? "no " + package
                                        : fmt::format("{}", fmt::join(differing, " ")));
    }
    return texts;
}

// How each spec depends on a package itself: "zlib for build,link".
std::vector<std::string> TellingApart::uses_of(const std::string& package,
                                               const std::vector<std::uint32_t>& specs) {
    std::vector<std::string> texts;
    for (const std::uint32_t spec : specs) {
        std::set<std::string> uses;
        for (const SpecGraph::Edge& edge : graph_.dependencies(spec)) {
            if (graph_.is_hashed(spec, edge) && words(edge.spec).package == package) {
                const DependencyKind& kind = graph_.kinds()[edge.kind];
                const std::string virtuals = kind.virtuals.value_or("");
                uses.insert(kind.deptypes + (virtuals.empty() ? "" : " as " + virtuals));
            }
        }
        texts.push_back(uses.empty() ? ""
                                     : fmt::format("{} for {}", package, fmt::join(uses, ", ")));
    }
    return texts;
}

std::vector<std::string> TellingApart::words_of(const std::vector<std::uint32_t>& specs) {
    Groups groups{std::vector<std::size_t>(specs.size()), std::vector<std::string>(specs.size())};
    std::vector<NearestBuilds> themselves;
    std::vector<std::string> unknown;
    std::map<std::string, std::vector<NearestBuilds>> packages;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        themselves.push_back({0, {specs[i]}});
        unknown.emplace_back(graph_.form(specs[i]) == 0 ? "its dependencies are not known" : "");
        for (const auto& [spec, depth] : depths_below(graph_, {specs[i]})) {
            if (depth > 0) {
                packages[words(spec).package].resize(specs.size());
                packages[words(spec).package][i].add(spec, depth);
            }
        }
    }
    groups.divide(texts_of("", themselves));
    std::vector<std::pair<std::int64_t, std::string>> order;
    order.reserve(packages.size());
    for (const auto& [package, builds] : packages) {
        order.emplace_back(std::ranges::min(builds, {}, &NearestBuilds::depth).depth, package);
    }
    std::ranges::sort(order);
    for (const auto& [depth, package] : order) {
        groups.divide(texts_of(package, packages.at(package)));
    }
    for (const auto& [depth, package] : order) {
        if (depth == 1) {
            groups.divide(uses_of(package, specs));
        }
    }
    groups.divide(unknown);
    return groups.said;
}

}  // namespace cacheledger
