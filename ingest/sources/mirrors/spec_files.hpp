#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/graph/graph.hpp"
#include "ingest/sources/pages/source.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

/// A spec file that was read.
struct SpecFile {
    std::string_view json;
    std::uint64_t size = 0;                              ///< bytes, as it is stored
    std::optional<DagHash> named = std::nullopt;         ///< the hash in its name
    std::optional<std::uint64_t> binary = std::nullopt;  ///< bytes of its binary, in a registry
};

/// A Problem that it throws is one of this file.
using TakeSpecFile = std::function<void(const SpecFile& file)>;

/// Reads all specs, and gives what is wrong with those that can't be read.
using ReadSpecFiles = std::function<std::vector<Problem>(const TakeSpecFile& take)>;

/// The package and the version of a node as Spack writes them: "zlib@1.3".
std::string package_and_version(const Node& node);

/// A spec file, or a spec manifest, as its name has it.
struct NamedSpec {
    DagHash hash{};
    std::string path;
};

/// The spec files of a mirror on this machine, or the specs of an OCI registry, one for each
/// binary. They say what is in a mirror without an index, and what of an index can be fetched
/// (docs/formats.md, "An index and its files").
class SpecFiles {
  public:
    /// Those of the mirror that this folder is; of one that has binaries in both layouts, those of
    /// layout 3. Also those that lie in the folder itself, such as build_cache/. nullopt if there
    /// are none.
    static std::optional<SpecFiles> find(const std::string& folder);

    /// Those of the mirror of layout 3 whose index is read; nullopt if it has no folder for them.
    static std::optional<SpecFiles> of_layout_3(const std::string& mirror);

    /// Those beside an index of layout 1 or 2, in YAML as well; nullopt if its folder has none.
    static std::optional<SpecFiles> beside_index(const std::string& folder);

    /// Those of a registry at this place, for messages.
    static SpecFiles of_registry(std::string place, ReadSpecFiles read) {
        SpecFiles files(std::move(place), false);
        files.read_ = std::move(read);
        return files;
    }

    /// All that have a hash in their names, sorted by their paths. Of a plain and a signed file of
    /// a spec both. Throws Problem if a folder can't be searched.
    std::vector<NamedSpec> list() const;

    /// The package and the version of one of these; "" if the file does not say so.
    std::string spec_of(const NamedSpec& one) const;

    /// "spec manifest" or "spec file".
    std::string_view name_of_one() const { return has_manifests_ ? "spec manifest" : "spec file"; }

    /// Reads all in the order of their names: plain, gzip or signed. Gives what is wrong with each
    /// that can't be read. One file is in memory at a time, and the names of a folder. Throws
    /// Problem if the folder can't be searched.
    std::vector<Problem> read(const TakeSpecFile& take) const;

    /// The root of a mirror of layout 3; in older layouts the folder of the spec files.
    const std::string& folder() const { return folder_; }

    /// Whether spec manifests give the sizes of the binaries.
    bool has_sizes() const { return has_manifests_; }

  private:
    SpecFiles(std::string folder, bool has_manifests)
        : folder_(std::move(folder)), has_manifests_(has_manifests) {}

    std::vector<Problem> read_manifests(const TakeSpecFile& take) const;

    std::string folder_;
    bool has_manifests_;  ///< of layout 3; else the files are in the folder
    ReadSpecFiles read_;  ///< of a registry
};

/// Takes the text of a spec manifest, and the hash in its name. A Problem that it throws is one of
/// this manifest.
using TakeManifest = std::function<void(const DagHash& hash, std::string_view text)>;

/// Reads the spec manifests of a mirror of layout 3 on this machine, in the order of their names:
/// MIRROR/v3/manifests/spec/PACKAGE/PACKAGE-VERSION-HASH.spec.manifest.json. Gives what is wrong
/// with each that can't be read. A mirror without any gives nothing.
std::vector<Problem> read_spec_manifests(const std::string& mirror, const TakeManifest& take);

/// Compares an index with the spec files of its mirror. What it lists and the mirror has no file of
/// can't be fetched: that is taken out of `present`, and has a finding. So has what the mirror has
/// and no index of it lists, if this one lists all: `listed`, the nodes that its indexes list, else
/// null. `there`: what `specs` lists. `graph`: that of the index. Gives nothing where they agree,
/// and at most most_findings of a kind.
std::vector<MirrorFinding> compare_with_files(GraphSource& index, const Graph& graph,
                                              const SpecFiles& specs,
                                              const std::vector<NamedSpec>& there,
                                              const std::vector<std::uint32_t>* listed);

/// What a view lists and the main index of its mirror does not, likewise.
std::vector<MirrorFinding> compare_with_main(const GraphSource& view, const GraphSource& main,
                                             const Graph& graph);

}  // namespace cacheledger
