#include "tests/support/ledgers/graph_fixture.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/pages/page/page.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

namespace {

struct Values {
    SharedValues shared;
    Recipes recipes;
};

const Shared<Text>* text_or_null(Values& values, const std::optional<std::string>& text) {
    return text ? values.shared.text(*text) : nullptr;
}

Node node_of(Values& values, const MadeNode& made) {
    Node node;
    node.hash = dag_hash(made.hash);
    node.package = values.shared.text(made.package);
    if (!made.is_described) {
        node.is_known = !made.text.empty();
        node.digest = node.is_known ? digest_of(made.text) : TextDigest{};
        return node;
    }
    node.version = values.shared.text(made.version);
    node.arch = values.shared.arch("linux", "ubuntu24.04", made.target);
    node.compiler = values.shared.compiler(made.compiler);
    node.variants = values.shared.variants(
        std::vector<std::string_view>(made.variants.begin(), made.variants.end()));
    node.recipe = values.recipes(made.recipe);
    node.features = text_or_null(values, made.features);
    node.provided_virtuals = text_or_null(values, made.provided_virtuals);
    if (made.build_hash) {
        node.build_hash = dag_hash(*made.build_hash);
    }
    // Before form 4 edges have no virtuals.
    const bool is_old = std::any_of(made.edges.begin(), made.edges.end(),
                                    [](const MadeEdge& edge) { return !edge.virtuals; });
    node.form = static_cast<std::uint8_t>(is_old ? std::min(made.form, 3) : made.form);
    node.compiler_from = node.compiler != nullptr ? made.compiler_from : CompilerFrom::nothing;
    node.hash_state = made.hash_state;
    node.digest = digest_of(made.text);
    return node;
}

std::uint32_t index_of(const Graph& graph, const std::string& hash) {
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const Node& node) { return text_of(node.hash) == hash; });
    return static_cast<std::uint32_t>(found - graph.nodes.begin());
}

class MadeSource : public Source {
  public:
    explicit MadeSource(const std::vector<ReadGraph>& graphs) : graphs_(graphs) {}
    std::size_t size() const override { return graphs_.size(); }
    void begin(Earlier& earlier) override {
        earlier_ = &earlier;
        next_ = 0;
    }
    std::optional<Loadable> next() override {
        return next_ == graphs_.size() ? std::nullopt
                                       : std::optional<Loadable>(graphs_[next_++](*earlier_));
    }

  private:
    const std::vector<ReadGraph>& graphs_;
    Earlier* earlier_ = nullptr;
    std::size_t next_ = 0;
};

}  // namespace

TextDigest digest_of(std::string_view text) {
    const Digest whole = blob_id(text);
    TextDigest digest{};
    std::copy_n(whole.begin(), digest.size(), digest.begin());
    return digest;
}

Graph make_graph(const MadeNodes& nodes) {
    auto values = std::make_shared<Values>();
    Graph graph;
    for (const MadeNode& made : nodes) {
        graph.nodes.push_back(node_of(*values, made));
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        graph.nodes[i].first_edge = static_cast<std::uint32_t>(graph.edges.size());
        graph.nodes[i].num_edges = static_cast<std::uint32_t>(nodes[i].edges.size());
        for (const MadeEdge& edge : nodes[i].edges) {
            const std::uint32_t child = index_of(graph, edge.hash);
            if (child == graph.nodes.size()) {
                graph.nodes.push_back(node_of(*values, {edge.package,
                                                        edge.hash,
                                                        {},
                                                        "",
                                                        "",
                                                        "",
                                                        {},
                                                        {},
                                                        {},
                                                        {},
                                                        {},
                                                        0,
                                                        {},
                                                        {},
                                                        "",
                                                        false}));
            }
            graph.edges.push_back({child, edge.types, text_or_null(*values, edge.virtuals)});
        }
    }
    graph.values = values;
    return graph;
}

GraphInput make_input(const MadeInput& made) {
    GraphInput input;
    input.tag = made.tag;
    input.source = "made by hand";
    input.graph = make_graph(made.nodes);
    for (const MadeFile& file : made.files) {
        GraphSource source{file.label, file.label + ".json", {}};
        source.file.kind = file.kind;
        for (const std::string& hash : file.present) {
            source.file.present.push_back(index_of(input.graph, hash));
        }
        for (const auto& [text, hash] : file.roots) {
            source.file.roots.push_back({"", text, index_of(input.graph, hash)});
        }
        input.files.push_back(std::move(source));
    }
    for (const MadeUnread& unread : made.unread) {
        input.unread.push_back(
            {unread.label, unread.label + ".json", unread.label + ".json: it is torn"});
    }
    return input;
}

IngestResult load_graphs(TempLedger& ledger, const IngestOptions& options,
                         const std::vector<ReadGraph>& graphs) {
    MadeSource source(graphs);
    return ingest(ledger.database(), source, options, [](std::size_t, std::size_t) {});
}

IngestResult load_graph(TempLedger& ledger, const IngestOptions& options, const ReadGraph& read) {
    return load_graphs(ledger, options, {read});
}

ReadGraph read_into(const std::string& tag, const std::string& text) {
    return [=](Earlier& earlier) {
        GraphInput input;
        input.tag = tag;
        input.source = "a test";
        GraphReader reader(&earlier.known_nodes(tag));
        TextBytes bytes(text);
        input.files.push_back({"", "file", reader.read("file", bytes)});
        input.graph = reader.finish();
        return input;
    };
}

IngestResult take_graph(TempLedger& ledger, const std::string& moment, const MadeInput& input,
                        IngestOptions options) {
    options.taken_at = parse_moment(moment).value();
    return load_graph(ledger, options, [&](Earlier&) { return make_input(input); });
}

}  // namespace cacheledger
