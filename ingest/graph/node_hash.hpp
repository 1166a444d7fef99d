#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ingest/graph/graph.hpp"
#include "ingest/json/texts.hpp"

namespace cacheledger {

/// Tells texts of nodes apart, blanks between their parts included.
TextDigest text_digest(std::string_view text);

/// Computes the DAG hash of a node from its text: base32 of the SHA-1 of the node without its
/// "hash", the keys in their order. Spack wrote it with line breaks and two blanks for each level
/// until 2023 (form 3, and the first of form 4), and without any blank since.
class NodeHash {
  public:
    /// `text`: the node. [cut_begin, cut_end): its "hash", and the comma that goes with it. The
    /// text is read again, not only compared: how a file is indented means nothing. Throws
    /// std::invalid_argument where a text in it is broken.
    bool is_compact_hash(const DagHash& hash, std::string_view text, std::size_t cut_begin,
                         std::size_t cut_end);
    bool is_indented_hash(const DagHash& hash, std::string_view text, std::size_t cut_begin,
                          std::size_t cut_end);

  private:
    void write(std::string_view text, bool indented);
    void write_text(std::string_view written);

    std::string written_;  // kept for their memory
    std::string node_;
    json::Texts texts_;
};

}  // namespace cacheledger
