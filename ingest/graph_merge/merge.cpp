#include "ingest/graph_merge/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>

#include "ingest/page/problem.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view nothing = "none";

auto order_of(const Edge& edge) {
    return std::tuple(edge.child, edge.types,
                      edge.virtuals == nullptr ? std::string_view() : edge.virtuals->text,
                      edge.virtuals != nullptr);
}

// The types of dependencies that are part of the hash of a node of this form.
std::uint8_t hashed_types(std::uint8_t form) {
    if (form <= 2) {
        return dep_link | dep_run;
    }
    return form <= 4 ? dep_build | dep_link | dep_run : dep_build | dep_link | dep_run | dep_test;
}

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint8_t>>;

EdgeList edges_of(const std::vector<Edge>& edges, std::uint8_t types) {
    EdgeList hashed;
    for (const Edge& edge : edges) {
        if ((edge.types & types) != 0) {
            hashed.emplace_back(edge.child, static_cast<std::uint8_t>(edge.types & types));
        }
    }
    std::sort(hashed.begin(), hashed.end());
    hashed.erase(std::unique(hashed.begin(), hashed.end()), hashed.end());
    return hashed;
}

constexpr std::size_t shown_digits = 7;

std::string types_text(std::uint8_t types) {
    constexpr std::array<std::pair<DepType, std::string_view>, 4> names = {
        {{dep_build, "build"}, {dep_link, "link"}, {dep_run, "run"}, {dep_test, "test"}}};
    std::vector<std::string_view> known;
    for (const auto& [type, name] : names) {
        if ((types & type) != 0) {
            known.push_back(name);
        }
    }
    return fmt::format("{}", fmt::join(known, ","));
}

std::string edges_text(const EdgeList& all, const EdgeList& others,
                       const std::vector<Node>& nodes) {
    std::vector<std::string> texts;
    for (const auto& edge : all) {
        if (!std::binary_search(others.begin(), others.end(), edge)) {
            const Node& child = nodes[edge.first];
            texts.push_back(fmt::format("{}/{} {}", child.package->text,
                                        text_of(child.hash).substr(0, shown_digits),
                                        types_text(edge.second)));
        }
    }
    return texts.empty() ? std::string(nothing) : fmt::format("{}", fmt::join(texts, ", "));
}

class Merge {
  public:
    Merge(Spelled& known, const Spelled& given, const std::vector<Node>& nodes, Recipes& recipes)
        : known_(known), given_(given), nodes_(nodes), recipes_(recipes) {}

    std::vector<std::string> run() {
        const bool given_is_better = rank(given_.node) < rank(known_.node);
        merge_edges(given_is_better);
        merge_look();
        merge_recipe();
        merge_rest();
        if (given_is_better) {
            known_.node.features = given_.node.features;
            known_.node.hash_state = given_.node.hash_state;
            known_.node.digest = given_.node.digest;
        }
        known_.node.form = std::min(known_.node.form, given_.node.form);
        return std::move(differences_);
    }

  private:
    static std::tuple<bool, TextDigest> rank(const Node& node) {
        return {node.hash_state != HashState::recomputed, node.digest};
    }

    void compare(std::string_view name, std::string_view known, std::string_view given) {
        if (known != given) {
            constexpr std::size_t longest = 200;
            differences_.push_back(
                fmt::format("{} stays {}, the file says {}", name,
                            shortened(known.empty() ? nothing : known, longest),
                            shortened(given.empty() ? nothing : given, longest)));
        }
    }

    void merge_look() {
        Node& known = known_.node;
        const Node& given = given_.node;
        compare("package", known.package->text, given.package->text);
        compare("version", known.version->text, given.version->text);
        compare("platform", known.arch->platform, given.arch->platform);
        compare("os", known.arch->os, given.arch->os);
        compare("target", known.arch->target, given.arch->target);
        compare("variants", known.variants->text, given.variants->text);
        if (known.compiler != nullptr && given.compiler != nullptr) {
            compare("compiler", known.compiler->spec, given.compiler->spec);
            known.compiler_from = std::min(known.compiler_from, given.compiler_from);
        } else if (known.compiler == nullptr) {
            known.compiler = given.compiler;
            known.compiler_from = given.compiler_from;
        }
    }

    void merge_recipe() {
        const Recipe& given = *given_.node.recipe;
        if (given.text == known_.node.recipe->text) {
            return;
        }
        Recipe recipe = *known_.node.recipe;
        const auto fill = [&](std::string_view name, std::optional<std::string>& value,
                              const std::optional<std::string>& other) {
            if (value && other) {
                compare(name, *value, *other);
            } else if (!value) {
                value = other;
            }
        };
        fill("namespace", recipe.name_space, given.name_space);
        fill("package_hash", recipe.package_hash, given.package_hash);
        fill("flags", recipe.flags, given.flags);
        fill("patches", recipe.patches, given.patches);
        compare("external", recipe.external ? "true" : "false", given.external ? "true" : "false");
        if (recipe.external && given.external) {  // a path or modules that are not there are said
            compare("external path", recipe.external_path.value_or(""),
                    given.external_path.value_or(""));
            compare("external modules", recipe.external_modules.value_or(""),
                    given.external_modules.value_or(""));
        }
        known_.node.recipe = recipes_(std::move(recipe));
    }

    void merge_rest() {
        const auto text = [](const std::optional<DagHash>& hash) {
            return hash ? text_of(*hash) : std::string_view();
        };
        Node& known = known_.node;
        compare("build_spec", text(known.build_hash), text(given_.node.build_hash));
        if (known.provided_virtuals == nullptr) {
            known.provided_virtuals = given_.node.provided_virtuals;
        } else if (given_.node.provided_virtuals != nullptr) {
            compare("provided_virtuals", known.provided_virtuals->text,
                    given_.node.provided_virtuals->text);
        }
    }

    // Edges that are not part of the hash may differ: those of the fuller spelling stay.
    void merge_edges(bool given_is_better) {
        const std::uint8_t types = hashed_types(std::min(known_.node.form, given_.node.form));
        const EdgeList known = edges_of(known_.edges, types);
        const EdgeList given = edges_of(given_.edges, types);
        if (known != given) {
            compare("dependencies", edges_text(known, given, nodes_),
                    edges_text(given, known, nodes_));
            return;
        }
        const auto fullness = [](const std::vector<Edge>& edges) {
            std::size_t bits = 0;
            for (const Edge& edge : edges) {
                bits += static_cast<std::size_t>(__builtin_popcount(edge.types));
            }
            return bits;
        };
        const std::size_t known_bits = fullness(known_.edges);
        const std::size_t given_bits = fullness(given_.edges);
        constexpr std::uint8_t all = dep_build | dep_link | dep_run | dep_test;
        const bool are_others = edges_of(known_.edges, all) != edges_of(given_.edges, all);
        if (given_bits > known_bits ||
            (given_bits == known_bits && given_is_better && are_others)) {
            const std::vector<Edge> before = std::exchange(known_.edges, given_.edges);
            fill_virtuals(before);
        } else {
            fill_virtuals(given_.edges);
        }
    }

    void fill_virtuals(const std::vector<Edge>& others) {
        for (Edge& edge : known_.edges) {
            const auto other = std::find_if(others.begin(), others.end(), [&](const Edge& one) {
                return one.child == edge.child && one.virtuals != nullptr;
            });
            if (other == others.end()) {
                continue;
            }
            if (edge.virtuals == nullptr) {
                edge.virtuals = other->virtuals;
            } else if (known_.edges.size() == others.size()) {
                compare(fmt::format("virtuals of {}", nodes_[edge.child].package->text),
                        edge.virtuals->text, other->virtuals->text);
            }
        }
    }

    Spelled& known_;
    const Spelled& given_;
    const std::vector<Node>& nodes_;
    Recipes& recipes_;
    std::vector<std::string> differences_;
};

}  // namespace

void sort_edges(std::vector<Edge>& edges) {
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return order_of(a) < order_of(b); });
    edges.erase(
        std::unique(edges.begin(), edges.end(),
                    [](const Edge& a, const Edge& b) { return order_of(a) == order_of(b); }),
        edges.end());
}

std::vector<std::string> merge(Spelled& known, const Spelled& given, const std::vector<Node>& nodes,
                               Recipes& recipes) {
    return Merge(known, given, nodes, recipes).run();
}

}  // namespace cacheledger
