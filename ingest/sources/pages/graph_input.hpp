#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/graph/graph.hpp"
#include "ingest/rows/snapshots/snapshot_files.hpp"
#include "schema/errors/finding_kind.hpp"

namespace cacheledger {

/// An index, a lock file or an install database that was read.
struct GraphSource {
    std::string label;  ///< the stack; "" for none
    std::string name;   ///< how messages and findings call it
    GraphFile file;
    std::uint64_t size = 0;   ///< in bytes
    std::string sha256 = {};  ///< of these, in hex digits; "" if that is not known
    bool is_view = false;     ///< of a mirror, and the stack is called as it is
};

/// One that could not be read.
struct UnreadGraph {
    std::string label;
    std::string name;
    std::string problem;  ///< one line, which opens with the name
};

/// The size of a binary, in bytes.
struct BinarySize {
    DagHash hash{};
    std::uint64_t bytes = 0;

    auto operator<=>(const BinarySize&) const = default;
};

/// What an index and the files of its mirror disagree about, or a view and the main index: of a
/// build (binary-missing, binary-unlisted) its detail is "zlib@1.3/HASH", and of all (index-stale)
/// it says how many.
struct MirrorFinding {
    FindingKind kind;
    std::optional<std::string> package;
    std::string path;  ///< of the index, the mirror or the spec file
    std::string detail;

    bool is_of_all() const { return kind.word() == "index-stale"; }
};

/// What one snapshot is made from: the files that make it together, and one graph of their nodes.
struct GraphInput {
    std::string tag;
    std::string source;  ///< for the column `source`
    Graph graph;
    std::vector<GraphSource> files;
    std::vector<UnreadGraph> unread;
    /// Spec files of a mirror without an index that could not be read, the first of them.
    std::vector<UnreadGraph> unread_specs = {};
    std::size_t more_unread_specs = 0;
    std::vector<BinarySize> sizes = {};      ///< in any order, of other specs as well
    std::vector<Problem> unread_sizes = {};  ///< files that should have a size
    /// At most most_findings, those of the kind index-stale first.
    std::vector<MirrorFinding> of_mirrors = {};
    /// There are views, read or not: a mirror has what any of its indexes lists.
    bool has_views = false;
    /// What Intake::files_before() gave, if the files are the same: then none was read.
    std::optional<FilesBefore> same_as = {};
    /// There are no files, and these were of this kind: with unread ones the snapshot has the state
    /// of the one before it, else it has no specs.
    std::optional<GraphKind> absent = {};
};

}  // namespace cacheledger
