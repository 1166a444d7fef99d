#pragma once

#include <fmt/format.h>

#include <string_view>

#include "ingest/graph/known_nodes.hpp"
#include "ingest/graph_merge/file_nodes.hpp"
#include "ingest/graph_merge/graph_builder.hpp"
#include "ingest/json/json.hpp"
#include "ingest/raw_records/file_members.hpp"

/// What the readers of all kinds of files share. For .cpp files only.
namespace cacheledger {

/// Reads the nodes of files.
class RecordReader {
  public:
    /// `builder` has the nodes of the files before, whose texts are not parsed again. `known` may
    /// be null. Both must outlive this.
    RecordReader(GraphBuilder& builder, const KnownNodes* known)
        : builder_(builder),
          known_(known),
          reader_(builder.values().parts, builder.values().recipes) {}

    /// What the file says so far.
    FileContent content;

    /// Reads the node with this key, as `text` has it. `sha1`: node_sha1() of the text. `is_known`:
    /// the ledger has it with this text. Throws Problem.
    FileRecord& read(FileNodes& nodes, const DagHash& key, std::string_view text,
                     const Digest& sha1, bool is_known);
    const KnownNodes* known() const { return known_; }

    /// Reads a node that comes without a key, which is then its hash.
    void read_without_key(FileNodes& nodes, std::string_view text);

    /// Says that a record with this key comes next. Throws Problem where it has come before.
    static void add_key(FileNodes& nodes, const DagHash& key, std::string_view place);

    /// The value, until the next call.
    json::element parse(std::string_view text) { return json::parse(parser_, text); }

  private:
    bool add_known(FileNodes& nodes, FileRecord& record, std::string_view text,
                   const TextDigest& digest, bool is_known);

    GraphBuilder& builder_;
    const KnownNodes* known_;
    NodeReader reader_;
    simdjson::dom::parser parser_;
};

}  // namespace cacheledger
