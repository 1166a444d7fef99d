#include "ingest/graphs/merge/graph_builder.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/nodes/node_parts.hpp"

namespace cacheledger {

namespace {

// The records that the one at `index` depends on, by package.
std::vector<std::uint32_t> children_of(const FileNodes& nodes, std::uint32_t index) {
    std::vector<std::uint32_t> children;
    const FileRecord& record = nodes.records[index];
    if (!record.is_read()) {
        return children;
    }
    const auto of_record = nodes.edges_of(record);
    std::vector<ReadEdge> edges(of_record.begin(), of_record.end());
    std::ranges::stable_sort(edges, [](const ReadEdge& a, const ReadEdge& b) {
        return a.package->text < b.package->text;
    });
    for (const ReadEdge& edge : edges) {
        if (const auto* const found = nodes.by_key.find(edge.key)) {
            children.push_back(*found);
        }
    }
    return children;
}

// All records in the order in which Spack comes across them: depth first from each root, then the
// rest.
std::vector<std::uint32_t> in_order_of_roots(const FileNodes& nodes) {
    std::vector<std::uint32_t> order;
    std::vector<bool> is_reached(nodes.records.size());
    std::vector<std::uint32_t> stack;
    const auto reach = [&](std::uint32_t start) {
        stack.push_back(start);
        while (!stack.empty()) {
            const std::uint32_t index = stack.back();
            stack.pop_back();
            if (is_reached[index]) {
                continue;
            }
            is_reached[index] = true;
            order.push_back(index);
            const auto children = children_of(nodes, index);
            stack.insert(stack.end(), children.rbegin(), children.rend());
        }
    };
    for (const FileRoot& root : nodes.roots) {
        if (const auto* const found = nodes.by_key.find(root.key)) {
            reach(*found);
        }
    }
    for (std::uint32_t index = 0; index < nodes.records.size(); ++index) {
        reach(index);
    }
    return order;
}

constexpr std::uint8_t first_form_with_all = 3;

// The virtuals of compilers, in the order in which they count.
constexpr std::array<std::string_view, 3> languages = {"c", "cxx", "fortran"};

// Whether the list "c,cxx" has the word.
bool has_word(std::string_view list, std::string_view word) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        if (list.substr(begin, end - begin) == word) {
            return true;
        }
        begin = end + 1;
    }
    return false;
}

}  // namespace

std::vector<bool> find_first_of_hash(const FileNodes& nodes) {
    std::vector<bool> is_first(nodes.records.size(), true);
    const bool keys_are_hashes = std::ranges::all_of(
        nodes.records, [](const FileRecord& record) { return record.key == record.hash; });
    if (keys_are_hashes) {
        return is_first;
    }
    HashTable<std::uint32_t> first;
    for (const std::uint32_t index : in_order_of_roots(nodes)) {
        is_first[index] = first.emplace(nodes.records[index].hash, index).second;
    }
    return is_first;
}

std::optional<std::uint32_t> GraphBuilder::find_text(const DagHash& hash,
                                                     const TextDigest& digest) const {
    const auto found = find(hash);
    if (!found) {
        return std::nullopt;
    }
    const Node& node = graph_.nodes[*found];
    const bool is_same =
        node.digest == digest && !node.read_again &&
        (node.is_known || (node.is_described() && node.form >= first_form_with_all));
    return is_same ? found : std::nullopt;
}

std::uint32_t GraphBuilder::slot(const DagHash& hash, const Shared<Text>* package) {
    const auto [index, is_new] =
        by_hash_.emplace(hash, static_cast<std::uint32_t>(graph_.nodes.size()));
    if (is_new) {
        Node& node = graph_.nodes.emplace_back();
        node.hash = hash;
        node.package = package;
    }
    return index;
}

std::uint32_t GraphBuilder::known_slot(const FileRecord& record) {
    if (record.known_package >= known_packages_.size()) {
        known_packages_.resize(record.known_package + 1);
    }
    const Shared<Text>*& package = known_packages_[record.known_package];
    if (package == nullptr) {
        package = values_->shared.text(known_->package(record.known_package));
    }
    const std::uint32_t index = slot(record.hash, package);
    if (Node& node = graph_.nodes[index]; !node.is_described()) {
        node.package = package;
        node.digest = text_digest(record.sha1);
        node.is_known = true;
    }
    return index;
}

std::vector<std::string> GraphBuilder::describe(std::uint32_t index, const Node& node,
                                                std::vector<Edge> edges) {
    Node& known = graph_.nodes[index];
    const DagHash hash = known.hash;
    sort_edges(edges);
    std::vector<std::string> differences;
    Spelled spelled{node, std::move(edges)};
    if (known.is_described()) {
        const auto first = graph_.edges_of(known);
        const Spelled given = std::exchange(spelled, {known, {first.begin(), first.end()}});
        const NameChild name_child = [&](std::uint32_t child) {
            return ChildName{graph_.nodes[child].package->text, graph_.nodes[child].hash};
        };
        differences = MergeRule{name_child, values_->recipes, "the file"}.merge(spelled, given);
    } else {
        spelled.node.read_again =
            spelled.node.read_again || has_varying_edges(spelled.node, spelled.edges);
    }
    known = spelled.node;
    known.hash = hash;
    known.first_edge = static_cast<std::uint32_t>(graph_.edges.size());
    known.num_edges = static_cast<std::uint32_t>(spelled.edges.size());
    graph_.edges.insert(graph_.edges.end(), spelled.edges.begin(), spelled.edges.end());
    return differences;
}

// Whether a dependency is its compiler, which no file described so far.
bool GraphBuilder::names_compiler(const Node& node) const {
    return std::ranges::any_of(graph_.edges_of(node), [](const Edge& edge) {
        return edge.virtuals != nullptr &&
               std::ranges::any_of(languages, [&](std::string_view language) {
                   return has_word(edge.virtuals->text, language);
               });
    });
}

// Null for one that is only named.
const Shared<Text>* GraphBuilder::version_of(Node& node) {
    if (node.version == nullptr && node.is_known) {
        node.version = values_->shared.text(known_->version_of(node.hash));
    }
    return node.version;
}

// From form 5 on the compiler is a dependency: the first of these that there is.
void GraphBuilder::find_compiler(Node& node) {
    for (const std::string_view language : languages) {
        Node* compiler = nullptr;
        for (const Edge& edge : graph_.edges_of(node)) {
            Node& child = graph_.nodes[edge.child];
            if (edge.virtuals != nullptr && has_word(edge.virtuals->text, language) &&
                version_of(child) != nullptr &&
                (compiler == nullptr || child.hash < compiler->hash)) {
                compiler = &child;
            }
        }
        if (compiler != nullptr) {
            const auto [known, is_new] =
                compilers_.try_emplace({compiler->package, compiler->version});
            if (is_new) {
                known->second = values_->shared.compiler(
                    make_compiler(compiler->package->text, compiler->version->text));
            }
            node.compiler = known->second;
            node.compiler_from = CompilerFrom::edge;
            return;
        }
    }
}

Graph GraphBuilder::finish() {
    for (Node& node : graph_.nodes) {
        if (node.is_described() && node.compiler == nullptr && node.form >= 5) {
            find_compiler(node);
            node.read_again = node.read_again || (node.compiler == nullptr && names_compiler(node));
        }
    }
    // A spliced node has no edges to build with: it was built as its build spec says.
    for (Node& node : graph_.nodes) {
        if (!node.is_described() || node.compiler != nullptr || !node.build_hash) {
            continue;
        }
        const auto built = find(*node.build_hash);
        if (built && graph_.nodes[*built].is_described()) {
            node.compiler = graph_.nodes[*built].compiler;
        } else if (known_ != nullptr) {
            if (const auto compiler = known_->compiler_of(*node.build_hash)) {
                node.compiler = values_->shared.compiler(*compiler);
            }
        }
        node.compiler_from = node.compiler != nullptr ? CompilerFrom::edge : CompilerFrom::nothing;
        node.read_again = node.read_again || node.compiler == nullptr;
    }
    graph_.values = values_;
    graph_.target_parents = values_->shared.parents();
    by_hash_ = {};
    return std::move(graph_);
}

}  // namespace cacheledger
