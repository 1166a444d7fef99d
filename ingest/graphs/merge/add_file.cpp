#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/merge/graph_builder.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

namespace {

/// Adds one file to the graph.
class AddFile {
  public:
    /// `in_file`: of each node of the graph, all 0. They are so again when this is gone: a mirror
    /// has a million files, and each has few of its nodes.
    AddFile(GraphBuilder& builder, const FileContent& content, std::vector<std::uint8_t>& in_file)
        : builder_(builder), content_(content), in_file_(in_file) {}
    ~AddFile() {
        for (const Places& places : places_) {
            for (const std::uint32_t place : places.of_records) {
                if (place < in_file_.size()) {
                    in_file_[place] = absent;
                }
            }
        }
    }
    AddFile(const AddFile&) = delete;
    AddFile& operator=(const AddFile&) = delete;

    GraphFile run() {
        file_.kind = content_.kind;
        file_.version = content_.version;
        for (const FileNodes& nodes : content_.environments) {
            check_roots(nodes);
        }
        for (const FileNodes& nodes : content_.environments) {
            add_records(nodes);
        }
        for (std::size_t i = 0; i < content_.environments.size(); ++i) {
            describe_records(content_.environments[i], places_[i]);
        }
        add_unknown_keys(file_, content_.unknown);
        return std::move(file_);
    }

  private:
    enum InFile : std::uint8_t { absent, only_there, present };

    // Where the records of an environment are in the graph.
    struct Places {
        std::vector<std::uint32_t> of_records;
        std::vector<bool> is_first;
    };

    static void check_roots(const FileNodes& nodes) {
        for (const FileRoot& root : nodes.roots) {
            if (nodes.find(root.key) == nullptr) {
                throw Problem(fmt::format(
                    "roots: expected the key of a node of concrete_specs for '{}', found '{}'",
                    shortened(root.text, longest_quote), text_of(root.key)));
            }
        }
    }

    bool is_present(const FileRecord& record) const {
        switch (content_.kind) {
            case SourceKind::index:
                return record.in_buildcache;
            case SourceKind::install:
                return record.installed;
            default:
                return true;
        }
    }

    void add_records(const FileNodes& nodes) {
        Places& places = places_.emplace_back();
        places.is_first = find_first_of_hash(nodes);
        for (const FileRecord& record : nodes.records) {
            const std::uint32_t place =
                record.in_graph    ? *record.in_graph
                : record.is_read() ? builder_.slot(record.hash, nodes.nodes[record.node].package)
                                   : builder_.known_slot(record);
            places.of_records.push_back(place);
            in_file_.resize(builder_.size(), absent);
            if (in_file_[place] != present && is_present(record)) {
                file_.present.push_back(place);
                in_file_[place] = present;
            } else if (in_file_[place] == absent) {
                in_file_[place] = only_there;
            }
            if (content_.kind == SourceKind::lock && record.key != record.hash) {
                file_.build_hashes.push_back({record.key, place});
            }
            ++file_.records;
        }
        for (const FileRoot& root : nodes.roots) {
            const auto index =
                static_cast<std::size_t>(nodes.find(root.key) - nodes.records.data());
            file_.roots.push_back(
                {nodes.environment, root.text, places.of_records[index], root.group});
        }
    }

    bool is_in_file(std::uint32_t place) const {
        return place < in_file_.size() && in_file_[place] != absent;
    }

    void describe_records(const FileNodes& nodes, const Places& places) {
        names_ = {};
        for (std::size_t i = 0; i < nodes.records.size(); ++i) {
            const FileRecord& record = nodes.records[i];
            if (!record.is_read()) {
                file_.edges += record.in_graph ? builder_.node(*record.in_graph).num_edges : 0;
                continue;
            }
            Node node = nodes.nodes[record.node];
            file_.edges += node.num_edges;
            std::vector<Edge> edges = resolved_edges(nodes, places, record);
            if (!places.is_first[i]) {
                continue;
            }
            if (note_misnamed(nodes, record, edges)) {
                node.read_again = true;
            }
            const auto differences =
                builder_.describe(places.of_records[i], node, std::move(edges));
            if (!differences.empty()) {
                note("hash-conflict",
                     fmt::format("{}: {}", text_of(record.hash), fmt::join(differences, "; ")));
            }
        }
    }

    std::vector<Edge> resolved_edges(const FileNodes& nodes, const Places& places,
                                     const FileRecord& record) {
        std::vector<Edge> edges;
        edges.reserve(nodes.nodes[record.node].num_edges);
        for (const ReadEdge& edge : nodes.edges_of(record)) {
            edges.emplace_back(edge).child = child(nodes, places, edge);
        }
        return edges;
    }

    // Whether a dependency is called by a name that is not that of its package.
    bool note_misnamed(const FileNodes& nodes, const FileRecord& record,
                       const std::vector<Edge>& edges) {
        bool found = false;
        const ReadEdge* read = nodes.edges_of(record).data();
        for (const Edge& edge : edges) {
            const Node& child = builder_.node(edge.child);
            const std::string& name = (read++)->package->text;
            if (name != child.package->text) {
                found = true;
                note("hash-conflict",
                     fmt::format("{}: it is {}, its dependent {} calls it {}", text_of(child.hash),
                                 child.package->text, text_of(record.hash), name));
            }
        }
        return found;
    }

    std::uint32_t child(const FileNodes& nodes, const Places& places, const ReadEdge& edge) {
        if (const auto* const found = nodes.by_key.find(edge.key)) {
            return places.of_records[*found];
        }
        if (const auto known = builder_.find(edge.key); known && is_in_file(*known)) {
            return *known;
        }
        if (content_.kind == SourceKind::spec) {
            if (const auto found = child_by_name(nodes, places, edge)) {
                return *found;
            }
        }
        return builder_.slot(edge.key, edge.package);
    }

    // The spec files of forms 1 and 2 name children by other hashes, or by such that no node has:
    // there the package tells which it is, as a spec has each once.
    std::optional<std::uint32_t> child_by_name(const FileNodes& nodes, const Places& places,
                                               const ReadEdge& edge) {
        if (names_.packages.empty()) {
            std::vector<std::uint32_t> of_nodes(nodes.nodes.size());
            for (std::size_t i = 0; i < nodes.records.size(); ++i) {
                const std::uint32_t place = places.of_records[i];
                names_.packages.emplace(builder_.node(place).package->text, place);
                if (nodes.records[i].is_read()) {
                    of_nodes[nodes.records[i].node] = place;
                }
            }
            for (const auto& [name, node] : nodes.other_names) {
                names_.hashes.emplace(name, of_nodes[node]);
            }
        }
        if (const auto* const found = names_.hashes.find(edge.key)) {
            return *found;
        }
        const auto found = names_.packages.find(edge.package->text);
        return found == names_.packages.end() ? std::nullopt : std::optional(found->second);
    }

    void note(FindingKind kind, std::string detail) {
        file_.findings.add(kind, "", std::move(detail));
    }

    struct Names {
        HashTable<std::uint32_t> hashes;
        TextMap<std::uint32_t> packages;
    };

    GraphBuilder& builder_;
    const FileContent& content_;
    GraphFile file_;
    std::vector<Places> places_;
    std::vector<std::uint8_t>& in_file_;
    Names names_;
};

}  // namespace

void add_unknown_keys(GraphFile& file, const UnknownKeys& unknown) {
    for (const auto& [key, count] : unknown) {
        file.findings.add("unknown-field", "",
                          fmt::format("'{}' is not known and not stored, {} times", key, count));
    }
}

GraphFile GraphBuilder::add(const FileContent& content) {
    return AddFile(*this, content, in_file_).run();
}

}  // namespace cacheledger
