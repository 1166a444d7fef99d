#include "ingest/graphs/graph/graph.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// A value that is not said is not an empty one. No text ends in another's beginning, as each says
// how long it is.
std::string recipe_text(const Recipe& recipe) {
    std::string text = recipe.external ? "external" : "";
    for (const auto* const value :
         {&recipe.name_space, &recipe.package_hash, &recipe.flags, &recipe.patches,
          &recipe.external_path, &recipe.external_modules}) {
        text += '\n';
        if (*value) {
            text += std::to_string((*value)->size()) + ':' + **value;
        }
    }
    return text;
}

constexpr std::string_view nothing = "none";

auto order_of(const Edge& edge) {
    return std::tuple(edge.child, edge.types,
                      edge.virtuals == nullptr ? std::string_view() : edge.virtuals->text,
                      edge.virtuals != nullptr);
}

constexpr std::uint8_t all_deptypes = dep_build | dep_link | dep_run | dep_test;

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint8_t>>;

EdgeList edges_of(const std::vector<Edge>& edges, std::uint8_t types) {
    EdgeList hashed;
    for (const Edge& edge : edges) {
        if ((edge.types & types) != 0) {
            hashed.emplace_back(edge.child, static_cast<std::uint8_t>(edge.types & types));
        }
    }
    std::ranges::sort(hashed);
    hashed.erase(std::unique(hashed.begin(), hashed.end()), hashed.end());
    return hashed;
}

constexpr std::size_t shown_digits = 7;

std::string edges_text(const EdgeList& edges, const EdgeList& without,
                       const NameChild& name_child) {
    std::vector<std::string> texts;
    for (const auto& edge : edges) {
        if (!std::ranges::binary_search(without, edge)) {
            const ChildName child = name_child(edge.first);
            texts.push_back(fmt::format("{}/{} {}", child.package,
                                        text_of(child.hash).substr(0, shown_digits),
                                        text_of_deptypes(edge.second)));
        }
    }
    std::ranges::sort(texts);
    return texts.empty() ? std::string(nothing) : fmt::format("{}", fmt::join(texts, ", "));
}

class Merge {
  public:
    Merge(Spelled& better, const Spelled& other, Kept kept, const MergeRule& rule)
        : better_(better), other_(other), kept_(kept), rule_(rule) {}

    std::vector<std::string> run() {
        merge_edges();
        if (better_.node.arch != nullptr && other_.node.arch != nullptr) {
            merge_look();
        }
        merge_recipe();
        merge_rest();
        better_.node.form = std::min(better_.node.form, other_.node.form);
        if (better_.node.digest == other_.node.digest) {
            better_.node.read_again = better_.node.read_again && other_.node.read_again;
        }
        better_.node.read_again =
            better_.node.read_again || has_varying_edges(better_.node, better_.edges);
        return std::move(differences_);
    }

  private:
    void compare(std::string_view name, std::string_view better, std::string_view other) {
        if (better != other) {
            constexpr std::size_t longest = 200;
            differences_.push_back(
                difference_of_better(name, better, other, rule_.source, kept_, longest));
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
        } else if (better.compiler == nullptr) {
            better.compiler = other.compiler;
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
        better_.node.recipe = rule_.recipes(std::move(recipe));
    }

    void merge_rest() {
        const auto text = [](const std::optional<DagHash>& hash) {
            return hash ? text_of(*hash) : std::string_view();
        };
        Node& better = better_.node;
        better.compiler_from =
            std::min(better.compiler_from, other_.node.compiler_from, [](auto a, auto b) {
                return b == CompilerFrom::nothing ? a != b : a != CompilerFrom::nothing && a < b;
            });
        compare("build_spec", text(better.build_hash), text(other_.node.build_hash));
        if (better.provided_virtuals == nullptr) {
            better.provided_virtuals = other_.node.provided_virtuals;
        } else if (other_.node.provided_virtuals != nullptr) {
            compare("provided_virtuals", better.provided_virtuals->text,
                    other_.node.provided_virtuals->text);
        }
    }

    void merge_edges() {
        const std::uint8_t types =
            hashed_deptypes(std::min(better_.node.form, other_.node.form), all_deptypes);
        const EdgeList better = edges_of(better_.edges, types);
        const EdgeList other = edges_of(other_.edges, types);
        if (better == other) {
            fill_virtuals(types);
        } else {
            compare("dependencies", edges_text(better, other, rule_.name_child),
                    edges_text(other, better, rule_.name_child));
        }
        for (const Edge& edge : other_.edges) {
            add_unhashed(edge, types);
        }
        sort_edges(better_.edges);
    }

    void fill_virtuals(std::uint8_t hashed) {
        for (Edge& edge : better_.edges) {
            const auto other = std::ranges::find_if(other_.edges, [&](const Edge& one) {
                return one.child == edge.child && (one.types & hashed) != 0 &&
                       one.virtuals != nullptr;
            });
            if ((edge.types & hashed) == 0 || other == other_.edges.end()) {
                continue;
            }
            if (edge.virtuals == nullptr) {
                edge.virtuals = other->virtuals;
            } else {
                compare(fmt::format("virtuals of {}", rule_.name_child(edge.child).package),
                        edge.virtuals->text, other->virtuals->text);
            }
        }
    }

    // Edges that are not part of the hash may differ: all are kept. Of two texts of virtuals the
    // greater one says more.
    void add_unhashed(const Edge& edge, std::uint8_t hashed) {
        const auto types = static_cast<std::uint8_t>(edge.types & ~hashed);
        if (types == 0) {
            return;
        }
        const auto known = std::ranges::find_if(
            better_.edges, [&](const Edge& one) { return one.child == edge.child; });
        if (known == better_.edges.end()) {
            better_.edges.push_back({edge.child, types, edge.virtuals});
            return;
        }
        const bool is_hashed = (known->types & hashed) != 0;
        known->types = static_cast<std::uint8_t>(known->types | types);
        if (!is_hashed && edge.virtuals != nullptr &&
            (known->virtuals == nullptr || known->virtuals->text < edge.virtuals->text)) {
            known->virtuals = edge.virtuals;
        }
    }

    Spelled& better_;
    const Spelled& other_;
    Kept kept_;
    const MergeRule& rule_;
    std::vector<std::string> differences_;
};

std::string external_text(const Recipe& recipe) {
    if (!recipe.external) {
        return "no";
    }
    return recipe.external_path ? *recipe.external_path : recipe.external_modules.value_or("yes");
}

}  // namespace

const Shared<Recipe>* Recipes::operator()(Recipe recipe) {
    recipe.text = recipe_text(recipe);
    auto& known = known_[recipe.text];
    if (known == nullptr) {
        known = std::make_unique<const Shared<Recipe>>(
            Shared<Recipe>{std::move(recipe), known_.size() - 1});
    }
    return known.get();
}

void reach(const Graph& graph, const std::vector<std::uint32_t>& nodes,
           std::vector<bool>& reached) {
    std::vector<std::uint32_t> waiting = nodes;
    while (!waiting.empty()) {
        const std::uint32_t index = waiting.back();
        waiting.pop_back();
        if (reached[index]) {
            continue;
        }
        reached[index] = true;
        for (const Edge& edge : graph.edges_of(graph.nodes[index])) {
            waiting.push_back(edge.child);
        }
    }
}

Undescribed::Undescribed(const Graph& graph) {
    for (const Node& node : graph.nodes) {
        if (!node.is_described()) {
            continue;
        }
        std::set<std::uint32_t> missing;  // a child may have several edges
        for (const Edge& edge : graph.edges_of(node)) {
            const Node& child = graph.nodes[edge.child];
            if (!child.is_in_files() && missing.insert(edge.child).second) {
                add(node, child.package->text, std::string(text_of(child.hash)));
            }
        }
    }
}

void Undescribed::add(const Node& node, const std::string& package, const std::string& hash) {
    std::string text =
        fmt::format("{} {} of {} {}", package, hash, node.package->text, text_of(node.hash));
    if (count_++ == 0 || text < first_) {
        first_ = std::move(text);
    }
}

std::optional<PageFinding> Undescribed::finding(std::size_t files) const {
    if (count_ == 0) {
        return std::nullopt;
    }
    return PageFinding{
        "dependency-missing", "",
        fmt::format("{} {}, the first: {}",
                    counted(static_cast<std::int64_t>(count_), "dependency is", "dependencies are"),
                    files == 1 ? "not in the file" : "in none of the files", first_)};
}

void sort_edges(std::vector<Edge>& edges) {
    std::ranges::sort(edges,
                      [](const Edge& a, const Edge& b) { return order_of(a) < order_of(b); });
    edges.erase(
        std::unique(edges.begin(), edges.end(),
                    [](const Edge& a, const Edge& b) { return order_of(a) == order_of(b); }),
        edges.end());
}

Kept preferred(const Node& known, const Node& given) {
    const auto rank = [](const Node& node) {
        return std::pair(node.hash_state != HashState::recomputed, node.digest);
    };
    return rank(given) < rank(known) ? Kept::given : Kept::known;
}

bool has_varying_edges(const Node& node, const std::vector<Edge>& edges) {
    return std::ranges::any_of(edges, [&](const Edge& edge) {
        return hashed_deptypes(node.form, edge.types) != edge.types;
    });
}

std::vector<std::string> MergeRule::merge(Spelled& known, Spelled given) const {
    const Kept kept = preferred(known.node, given.node);
    if (kept == Kept::given) {
        std::swap(known, given);
    }
    return Merge(known, given, kept, *this).run();
}

SpecWords words_of(const Node& node) {
    SpecWords words;
    words.package = node.package->text;
    words.hash = std::string(text_of(node.hash));
    words.version = text_of_shared(node.version);
    words.variants = text_of_shared(node.variants);
    if (node.arch != nullptr) {
        words.platform = node.arch->platform;
        words.os = node.arch->os;
        words.target = node.arch->target;
    }
    if (node.compiler != nullptr) {
        words.compiler = node.compiler->spec;
    }
    if (node.is_described()) {
        words.name_space = node.recipe->name_space;
        words.package_hash = node.recipe->package_hash;
        words.flags = node.recipe->flags;
        words.patches = node.recipe->patches;
        words.external = external_text(*node.recipe);
        words.spliced = node.build_hash ? std::string(text_of(*node.build_hash)) : "no";
    }
    return words;
}

}  // namespace cacheledger
