#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/runs/files/ingest.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

/// Graphs made by hand, as readers of indexes, lock files and install databases make them.
namespace cacheledger {

struct MadeEdge {
    std::string package;
    std::string hash;
    std::uint8_t types = dep_link;
    std::optional<std::string> virtuals = "";  ///< nothing: the form does not say
};

struct MadeNode {
    std::string package;
    std::string hash;
    std::vector<MadeEdge> edges = {};
    std::string version = "1.0";
    std::string compiler = "gcc@13.2.0";  ///< "none" for none
    std::string target = "x86_64_v3";
    std::vector<std::string> variants = {"build_system=cmake"};
    Recipe recipe = {"builtin", "recipe", "", "", false, std::nullopt, std::nullopt, ""};
    std::optional<std::string> features = std::nullopt;
    std::optional<std::string> provided_virtuals = std::nullopt;
    std::optional<std::string> build_hash = std::nullopt;
    int form = 5;
    CompilerFrom compiler_from = CompilerFrom::annotation;
    HashState hash_state = HashState::recomputed;
    std::string text = "first";  ///< two nodes of one hash and text are one spelling
    bool is_described = true;    ///< false: it was not parsed
};

using MadeNodes = std::vector<MadeNode>;

/// The graph of these nodes, in this order, and of those that their edges name besides.
Graph make_graph(const MadeNodes& nodes);

TextDigest digest_of(std::string_view text);

/// One file: its label ("" for none), and the hashes of what is present.
struct MadeFile {
    std::string label;
    std::vector<std::string> present;
    SourceKind kind = SourceKind::index;
    std::vector<std::pair<std::string, std::string>> roots = {};  ///< text, hash
};

/// A file of this label can't be read.
struct MadeUnread {
    std::string label;
};

struct MadeInput {
    std::string tag = "develop";
    MadeNodes nodes = {};
    std::vector<MadeFile> files = {};
    std::vector<MadeUnread> unread = {};
};

GraphInput make_input(const MadeInput& made);

/// Makes what one snapshot is made from.
using ReadGraph = std::function<GraphInput(Earlier&)>;

/// Loads it.
IngestResult load_graph(TempLedger& ledger, const IngestOptions& options, const ReadGraph& read);
IngestResult load_graphs(TempLedger& ledger, const IngestOptions& options,
                         const std::vector<ReadGraph>& graphs);

/// A way to read one file, plain or gzip, into a snapshot of the tag.
ReadGraph read_into(const std::string& tag, const std::string& text);

/// Loads it into a snapshot of this moment.
IngestResult take_graph(TempLedger& ledger, const std::string& moment, const MadeInput& input,
                        IngestOptions options = {});

}  // namespace cacheledger
