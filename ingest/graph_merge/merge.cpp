#include "ingest/graph_merge/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "ingest/basics/problem.hpp"
#include "ingest/page/findings.hpp"

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

std::string edges_text(const EdgeList& edges, const EdgeList& without,
                       const std::vector<Node>& nodes) {
    std::vector<std::string> texts;
    for (const auto& edge : edges) {
        if (!std::binary_search(without.begin(), without.end(), edge)) {
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
    Merge(Spelled& better, const Spelled& other, Kept kept, const std::vector<Node>& nodes,
          Recipes& recipes)
        : better_(better), other_(other), kept_(kept), nodes_(nodes), recipes_(recipes) {}

    std::vector<std::string> run() {
        merge_edges();
        merge_look();
        merge_recipe();
        merge_rest();
        better_.node.form = std::min(better_.node.form, other_.node.form);
        if (better_.node.digest == other_.node.digest) {
            better_.node.read_again = better_.node.read_again && other_.node.read_again;
        }
        return std::move(differences_);
    }

  private:
    void compare(std::string_view name, std::string_view better, std::string_view other) {
        if (better != other) {
            constexpr std::size_t longest = 200;
            differences_.push_back(
                difference_of_better(name, better, other, "the file", kept_, longest));
        }
    }

    void merge_look() {
        Node& better = better_.node;
        const Node& other = other_.node;
        compare("package", better.package->text, other.package->text);
        compare("version", better.version->text, other.version->text);
        compare("platform", better.arch->platform, other.arch->platform);
        compare("os", better.arch->os, other.arch->os);
        compare("target", better.arch->target, other.arch->target);
        compare("variants", better.variants->text, other.variants->text);
        if (better.compiler != nullptr && other.compiler != nullptr) {
            compare("compiler", better.compiler->spec, other.compiler->spec);
            better.compiler_from = std::min(better.compiler_from, other.compiler_from);
        } else if (better.compiler == nullptr) {
            better.compiler = other.compiler;
            better.compiler_from = other.compiler_from;
        }
    }

    void merge_recipe() {
        const Recipe& other = *other_.node.recipe;
        if (other.text == better_.node.recipe->text) {
            return;
        }
        Recipe recipe = *better_.node.recipe;
        const auto fill = [&](std::string_view name, std::optional<std::string>& value,
                              const std::optional<std::string>& other_value) {
            if (value && other_value) {
                compare(name, *value, *other_value);
            } else if (!value) {
                value = other_value;
            }
        };
        fill("namespace", recipe.name_space, other.name_space);
        fill("package_hash", recipe.package_hash, other.package_hash);
        fill("flags", recipe.flags, other.flags);
        fill("patches", recipe.patches, other.patches);
        compare("external", recipe.external ? "true" : "false", other.external ? "true" : "false");
        if (recipe.external && other.external) {  // a path or modules that are not there are said
            compare("external path", recipe.external_path.value_or(""),
                    other.external_path.value_or(""));
            compare("external modules", recipe.external_modules.value_or(""),
                    other.external_modules.value_or(""));
        }
        better_.node.recipe = recipes_(std::move(recipe));
    }

    void merge_rest() {
        const auto text = [](const std::optional<DagHash>& hash) {
            return hash ? text_of(*hash) : std::string_view();
        };
        Node& better = better_.node;
        compare("build_spec", text(better.build_hash), text(other_.node.build_hash));
        if (better.provided_virtuals == nullptr) {
            better.provided_virtuals = other_.node.provided_virtuals;
        } else if (other_.node.provided_virtuals != nullptr) {
            compare("provided_virtuals", better.provided_virtuals->text,
                    other_.node.provided_virtuals->text);
        }
    }

    // Edges that are not part of the hash may differ: those of the fuller values stay.
    void merge_edges() {
        const std::uint8_t types = hashed_types(std::min(better_.node.form, other_.node.form));
        const EdgeList better = edges_of(better_.edges, types);
        const EdgeList other = edges_of(other_.edges, types);
        if (better != other) {
            compare("dependencies", edges_text(better, other, nodes_),
                    edges_text(other, better, nodes_));
            return;
        }
        const auto fullness = [](const std::vector<Edge>& edges) {
            std::size_t bits = 0;
            for (const Edge& edge : edges) {
                bits += static_cast<std::size_t>(__builtin_popcount(edge.types));
            }
            return bits;
        };
        const std::size_t better_bits = fullness(better_.edges);
        const std::size_t other_bits = fullness(other_.edges);
        if (other_bits > better_bits) {
            const std::vector<Edge> before = std::exchange(better_.edges, other_.edges);
            fill_virtuals(before);
        } else {
            fill_virtuals(other_.edges);
        }
    }

    void fill_virtuals(const std::vector<Edge>& others) {
        for (Edge& edge : better_.edges) {
            const auto other = std::find_if(others.begin(), others.end(), [&](const Edge& one) {
                return one.child == edge.child && one.virtuals != nullptr;
            });
            if (other == others.end()) {
                continue;
            }
            if (edge.virtuals == nullptr) {
                edge.virtuals = other->virtuals;
            } else if (better_.edges.size() == others.size()) {
                compare(fmt::format("virtuals of {}", nodes_[edge.child].package->text),
                        edge.virtuals->text, other->virtuals->text);
            }
        }
    }

    Spelled& better_;
    const Spelled& other_;
    Kept kept_;
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

std::vector<std::string> merge(Spelled& known, Spelled given, const std::vector<Node>& nodes,
                               Recipes& recipes) {
    const auto rank = [](const Node& node) {
        return std::pair(node.hash_state != HashState::recomputed, node.digest);
    };
    const Kept kept = rank(given.node) < rank(known.node) ? Kept::given : Kept::known;
    if (kept == Kept::given) {
        std::swap(known, given);
    }
    return Merge(known, given, kept, nodes, recipes).run();
}

}  // namespace cacheledger
