#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The small files that say where indexes are.
namespace cacheledger {

/// A file of a mirror or layout that is named by its content.
struct Blob {
    std::string sha256;
    std::uint64_t size = 0;
};

/// What an index manifest of layout 3 names.
struct IndexManifest {
    int version = 0;          ///< of the database in `index`
    Blob index;               ///< the one of the greatest version that can be read
    std::vector<int> others;  ///< versions of the other ones; they may be out of date
};

/// Reads an index manifest, signed or not: what is signed is taken out of the text around it, and
/// the signature is not checked. Throws Problem.
IndexManifest read_index_manifest(std::string_view text);

/// The size of the binary that a spec manifest of layout 3 names, signed or not: the bytes that are
/// downloaded. Throws Problem.
std::uint64_t read_binary_size(std::string_view text);

/// The size of a binary, which the ledger can hold. Throws Problem if it is larger.
std::uint64_t checked_size(std::uint64_t size);

/// The spec file that such a manifest names. Throws Problem.
Blob read_spec_blob(std::string_view text);

/// The text without a PGP signature around it (RFC 4880, section 7); one that is not signed as it
/// is. The signature is not checked. Throws Problem if the text is cut off.
std::string without_signature(std::string_view text);

/// The manifest of the index that index.json of an OCI layout names: the one tagged index.spack.
/// Throws Problem.
Blob read_layout(std::string_view text);

/// The index that such a manifest names. Throws Problem.
Blob read_layout_manifest(std::string_view text);

/// What the manifest of a build in an OCI registry names.
struct BuildImage {
    Blob config;                    ///< has the spec
    std::uint64_t binary_size = 0;  ///< bytes of the last layer; those before are its dependencies
};

/// Reads such a manifest. Throws Problem.
BuildImage read_build_image(std::string_view text);

/// The first image of an image index, for a processor of any kind; nullopt where the text is a
/// manifest of one. Throws Problem.
std::optional<Blob> read_image_index(std::string_view text);

/// The tags of a page of a registry's list. Throws Problem.
std::set<std::string> read_tags(std::string_view text);

/// An index of a ref.
struct LabelledUrl {
    std::string label;
    std::string url;
};

/// How many indexes a manifest may name. The public one names some hundreds.
inline constexpr std::size_t most_indexes = 100'000;

struct RefUrls {
    std::string ref;
    std::vector<LabelledUrl> indexes;
};

/// Reads {REF: [{"label": ..., "url": ...}, ...]}, in the order of the text. Throws Problem.
std::vector<RefUrls> read_refs(std::string_view text);

}  // namespace cacheledger
