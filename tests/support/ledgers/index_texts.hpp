#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "schema/text/sha256.hpp"

/// The smallest texts that are inputs of each kind.
namespace cacheledger::texts {

/// An index; `word` tells it from others.
inline std::string index(std::string_view word = "a") {
    return fmt::format(R"({{"database": {{"version": "8", "installs": {{"{}": {{"spec": {{}},
        "ref_count": 0, "in_buildcache": true}}}}}}}})",
                       word);
}

inline const std::string install =
    R"({"database": {"version": "7", "installs": {"a": {"spec": {}, "installed": true}}}})";
inline const std::string lock = R"({"_meta": {"file-type": "spack-lockfile"}, "roots": []})";
inline const std::string page =
    "---\ntitle: zlib\ncategories: [package, develop]\nspec_details: []\n---\n";

inline std::string blob_path(const std::string& text) {
    const std::string sha256 = sha256_of(text);
    return fmt::format("blobs/sha256/{}/{}", sha256.substr(0, 2), sha256);
}

/// An entry of an index manifest of layout 3, for this index.
inline std::string entry(const std::string& index, int version = 8) {
    return fmt::format(
        R"({{"contentLength": {}, "mediaType": "application/vnd.spack.db.v{}+json",
             "compression": "none", "checksumAlgorithm": "sha256", "checksum": "{}"}})",
        index.size(), version, sha256_of(index));
}

inline std::string index_manifest(const std::string& entries) {
    return fmt::format(R"({{"version": 3, "data": [{}]}})", entries);
}

}  // namespace cacheledger::texts
