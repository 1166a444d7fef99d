#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

/// Takes the JSON of a spec file, which has `size` bytes on the disk, and the hash in its name. A
/// Problem that it throws is one of this file.
using TakeSpecFile = std::function<void(std::string_view json, std::uint64_t size,
                                        const std::optional<DagHash>& named)>;

/// The spec files of a mirror on this machine, one for each binary. They say what is in a mirror
/// without an index (docs/formats.md, "Mirrors without an index").
class SpecFiles {
  public:
    /// Those of the mirror that this folder is; of one that has binaries in both layouts, those of
    /// layout 3. Also those that lie in the folder itself, such as build_cache/. nullopt if there
    /// are none.
    static std::optional<SpecFiles> find(const std::string& folder);

    /// Reads all in the order of their names: plain, gzip or signed. Gives what is wrong with each
    /// that can't be read. One file is in memory at a time, and the names of a folder. Throws
    /// Problem if the folder can't be searched.
    std::vector<Problem> read(const TakeSpecFile& take) const;

    /// The mirror that has the sizes of its binaries in spec manifests; nullopt in older layouts.
    std::optional<std::string> mirror_with_sizes() const {
        return has_manifests_ ? std::optional(folder_) : std::nullopt;
    }

  private:
    SpecFiles(std::string folder, bool has_manifests)
        : folder_(std::move(folder)), has_manifests_(has_manifests) {}

    std::vector<Problem> read_manifests(const TakeSpecFile& take) const;

    std::string folder_;
    bool has_manifests_;  ///< of layout 3; else the files are in the folder
};

}  // namespace cacheledger
