#pragma once

#include <fmt/format.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ingest/graph_merge/file_nodes.hpp"
#include "ingest/graph_merge/graph_builder.hpp"
#include "ingest/graph_merge/known_nodes.hpp"
#include "ingest/json/json.hpp"
#include "ingest/json/stream.hpp"
#include "ingest/page/problem.hpp"

/// What the readers of all kinds of files share. For .cpp files only.
namespace cacheledger {

/// Runs `read`. What it throws about a value gets the place in front; what a stream throws says
/// itself where it is.
template <typename Read>
auto at_place(std::string_view place, const Read& read) {
    try {
        return read();
    } catch (const Problem&) {
        throw;
    } catch (const std::invalid_argument& error) {
        throw Problem(fmt::format("{}{}{}", place, place.empty() ? "" : ": ", error.what()));
    }
}

/// The keys that an object has had.
class SeenKeys {
  public:
    explicit SeenKeys(std::string place) : place_(std::move(place)) {}

    /// Throws Problem where the key comes a second time.
    void operator()(const std::string& key) {
        if (!keys_.insert(key).second) {
            throw Problem(fmt::format("'{}{}{}' is given twice", place_, place_.empty() ? "" : ".",
                                      shortened(key, longest_quote)));
        }
    }

  private:
    std::string place_;
    std::set<std::string> keys_;
};

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

    /// Reads the node with this key, as `text` has it. Throws std::invalid_argument.
    FileRecord& read(FileNodes& nodes, const DagHash& key, std::string_view text);

    /// Reads a node that comes without a key, which is then its hash.
    void read_without_key(FileNodes& nodes, std::string_view text);

    /// The hash that is the key of the stream's next value, which must not have come yet. Throws
    /// Problem; `place`: "concrete_specs".
    static DagHash read_key(const json::Stream& stream, FileNodes& nodes, std::string_view place);

    /// The value, until the next call.
    json::element parse(std::string_view text) { return json::parse(parser_, text); }

    /// Passes the next value, and counts its key as unknown. `place`: "database."
    void skip_unknown(json::Stream& stream, std::string_view place);

  private:
    bool add_known(FileNodes& nodes, FileRecord& record, std::string_view text,
                   const TextDigest& digest);

    GraphBuilder& builder_;
    const KnownNodes* known_;
    NodeReader reader_;
    simdjson::dom::parser parser_;
};

}  // namespace cacheledger
