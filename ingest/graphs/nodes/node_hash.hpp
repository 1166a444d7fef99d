#pragma once

#include <string_view>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/pages/parts/node_fields.hpp"

namespace cacheledger {

/// The SHA-1 of the text of a node, without its "hash" where that comes last, as Spack writes it.
/// Most often it is then the hash as well, and all of 150 MB of indexes are digested only once.
Digest node_sha1(std::string_view text);

/// Tells texts of nodes with one hash apart, blanks between their parts included.
TextDigest text_digest(const Digest& node_sha1);

/// Whether a node has its DAG hash by its text: base32 of the SHA-1 of the node without its "hash",
/// the keys in their order. Spack wrote it with line breaks and two blanks for each level until
/// 2023 (form 3, and the first of form 4), and without any blank since. `text`: the node; how the
/// file is indented means nothing. `cut`: its "hash", and the comma that goes with it. `sha1`:
/// node_sha1() of the text. Throws Problem where a text in it is broken.
bool is_compact_hash(const DagHash& hash, std::string_view text, const Cut& cut,
                     const Digest& sha1);
bool is_indented_hash(const DagHash& hash, std::string_view text, const Cut& cut);

}  // namespace cacheledger
