#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/json/stream.hpp"
#include "ingest/graphs/files/record_cutter.hpp"
#include "ingest/graphs/merge/graph_builder.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"

namespace cacheledger {

/// Reads one file. Its members tell which kind it is; which comes first does not matter. For .cpp
/// files only.
///
/// This is what a record of an index passes through:
///
///     json::Stream   the bytes of the file, over a window: finds where the node's text ends
///     RecordCutter   in a thread of its own: digests the text, and copies it if it is not known
///     FileReader     asks the graph for it, then the ledger. If neither has it:
///     NodeReader     takes it apart, parses the parts and dependencies, computes the hash again
///
/// A record of 1,400 bytes that the newest state of its series has takes some 9,000 ns of processor
/// time (66,000 records, a ledger of 120 daily states, -O1):
///
///     1,100   reading its bytes and their SHA-256, by which a file is known to be that of before
///     1,050   the SHA-1 of the node, by which its text is known
///     1,300   finding where it and its members end, its key, its place in what is known
///     1,400   its place among the records of the file, in the graph and in the state
///     2,500   its rows of presence, spec and node: of those of a state, no index tells
///     1,400   its dependencies, of which the file may lack one although no record changed
///
/// Then GraphBuilder adds what all records of the file say. A lock file and the spec of a binary
/// are short: there FileReader does the work of RecordCutter.
class FileReader {
  public:
    /// `builder` has the nodes of the files before, whose texts are not parsed again. All must
    /// outlive this.
    FileReader(json::Stream& stream, GraphBuilder& builder, NodeReader& nodes)
        : stream_(stream), builder_(builder), nodes_(nodes) {}

    /// What a file can be, for messages.
    struct Expected {
        std::string_view what = "an index, an install database or a lock file";
        std::string_view members =
            "an index or install database, with 'database', or a lock file, with "
            "'concrete_specs'";
    };

    /// Reads the file to its end. To be called once. Throws Problem, which says where and what was
    /// expected: "database.installs.KEY: arch.target: ...".
    FileContent read() { return read(Expected()); }
    FileContent read(const Expected& expected);

  private:
    void read_database();
    void read_records(RecordCutter& cutter);
    void read_spec();
    void read_spec_nodes();
    void read_spec_node(FileNodes& nodes, std::string_view text);

    bool read_lock_member();
    bool read_environment_member(FileNodes& nodes, std::size_t depth);
    void read_concrete_specs(FileNodes& nodes);
    FileRoot read_root();
    void read_included(std::size_t depth);
    void check_lock();

    static void add_key(FileNodes& nodes, const DagHash& key, std::string_view place);
    void read_record(FileNodes& nodes, std::string_view place, FileRecord record,
                     std::string_view text);
    std::int64_t read_meta(std::string_view key);
    json::element parsed_value() { return json::parse(parser_, stream_.value()); }

    json::Stream& stream_;
    GraphBuilder& builder_;
    NodeReader& nodes_;
    FileContent content_;
    simdjson::dom::parser parser_;
    bool has_lock_nodes_ = false, has_lock_roots_ = false;
};

}  // namespace cacheledger
