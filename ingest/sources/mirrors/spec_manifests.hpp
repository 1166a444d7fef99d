#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

/// Takes the text of a spec manifest, and the hash in its name. A Problem that it throws is one of
/// this manifest.
using TakeManifest = std::function<void(const DagHash& hash, std::string_view text)>;

/// Whether a folder is a mirror of layout 3 with spec manifests.
bool has_spec_manifests(const std::string& mirror);

/// Whether a folder is a mirror of layout 3 with a folder for spec manifests.
bool has_manifests_folder(const std::string& mirror);

/// Calls `take` with the folder and the name of each spec manifest of such a mirror, in the order
/// of their names. Throws Problem if one of its folders can't be searched.
void for_each_spec_manifest(
    const std::string& mirror,
    const std::function<void(const std::string& folder, const std::string& name)>& take);

/// Reads the spec manifests of a mirror of layout 3 on this machine, in the order of their names:
/// MIRROR/v3/manifests/spec/PACKAGE/PACKAGE-VERSION-HASH.spec.manifest.json. Gives what is wrong
/// with each that can't be read. A mirror without any gives nothing.
std::vector<Problem> read_spec_manifests(const std::string& mirror, const TakeManifest& take);

/// The names of the files in a folder that end with one of `endings`, sorted. Throws Problem if it
/// can't be searched.
std::vector<std::string> files_that_end_with(const std::string& folder,
                                             const std::vector<std::string>& endings);

}  // namespace cacheledger
