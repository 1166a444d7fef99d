#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/json/json.hpp"
#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/pages/parts/node_fields.hpp"

/// Reads the parts of nodes that many nodes share. For .cpp files only. `values` owns what the
/// parts refer to. All throw Problem, which says what was expected: "arch.target: ...".
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

/// `unknown`: keys in it that are not known.
struct Part {
    std::vector<std::string> unknown;
};
struct ArchPart : Part {
    const Shared<Arch>* arch = nullptr;
    const Shared<Text>* features = nullptr;  ///< null: the target is a name only
    bool has_described_target = false;
};
struct ParametersPart : Part {
    const Shared<VariantSet>* variants = nullptr;
    std::string flags;
    std::vector<std::string> patches;  ///< as written
};
struct ExternalPart : Part {
    bool external = false;
    std::optional<std::string> path, modules;
};
struct AnnotationsPart : Part {
    std::optional<std::uint8_t> original_form;
    const Shared<Compiler>* compiler = nullptr;
};
struct CompilerPart : Part {
    const Shared<Compiler>* compiler = nullptr;
};

inline constexpr std::uint8_t newest_form = 6;

/// An empty text says nothing.
inline std::optional<std::string> if_said(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

ArchPart read_arch(const json::element& value, SharedValues& values);
ParametersPart read_parameters(const json::element& value, SharedValues& values);
ExternalPart read_external(const json::element& value, SharedValues& values);
AnnotationsPart read_annotations(const json::element& value, SharedValues& values);
CompilerPart read_compiler(const json::element& value, SharedValues& values);

/// How the dependencies of a node are written.
enum class EdgeForm : std::uint8_t {
    none,
    by_name,         ///< form 1: an object, by package
    with_types,      ///< forms 2 and 3: a list with "type"
    with_parameters  ///< from form 4 on: a list with "parameters"
};

/// Reads the `dependencies` of a node, in every form: appends them to `edges`, and counts keys that
/// are not known. `values` owns what the edges refer to. Throws Problem, which says what was
/// expected: "dependencies[3].type: ...". For .cpp files only.
EdgeForm read_edges(const json::element& dependencies, SharedValues& values,
                    std::vector<ReadEdge>& edges, UnknownKeys& unknown);

}  // namespace cacheledger
