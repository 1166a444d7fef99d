#include "ingest/sources/kinds/manifests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <set>

#include "ingest/bytes/json/json.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

using Json = simdjson::dom::element;

constexpr std::string_view index_tag = "index.spack";

// An object, and how messages call it.
struct Described {
    Json object;
    std::string_view what;

    template <typename Value>
    Value get(std::string_view key, std::string_view kind) const {
        Value value{};
        if (object[key].get(value) != simdjson::SUCCESS) {
            throw Problem(fmt::format("expected \"{}\", {}, in {}", key, kind, what));
        }
        return value;
    }
    std::string_view text(std::string_view key) const {
        return get<std::string_view>(key, "a text");
    }
    std::uint64_t size(std::string_view key) const {
        return get<std::uint64_t>(key, "a number of bytes");
    }
    simdjson::dom::array list(std::string_view key) const {
        return get<simdjson::dom::array>(key, "a list");
    }
};

// A document of this kind.
class Document {
  public:
    Document(std::string_view text, std::string_view what) : root_{{}, what} {
        if (const auto error = json::try_parse(parser_, text, root_.object)) {
            throw Problem(fmt::format("broken JSON: {}", json::message_of(error)));
        }
    }
    const Described* operator->() const { return &root_; }

  private:
    simdjson::dom::parser parser_;
    Described root_;
};

// It becomes part of a path.
std::string checked_sha256(std::string_view text) {
    if (!is_sha256(text)) {
        throw Problem(fmt::format("expected a sha256, 64 hex digits, found '{}'",
                                  shortened(text, longest_quote)));
    }
    return std::string(text);
}

// N of application/vnd.spack.db.vN+json; nothing for a file that is no index.
std::optional<int> database_version(std::string_view media_type) {
    constexpr std::string_view start = "application/vnd.spack.db.v";
    constexpr std::string_view end = "+json";
    if (!media_type.starts_with(start) || !media_type.ends_with(end)) {
        return std::nullopt;
    }
    media_type.remove_prefix(start.size());
    media_type.remove_suffix(end.size());
    return parse_number<int>(media_type);
}

bool is_known_version(int version) {
    return version >= oldest_index_version && version <= newest_index_version;
}

Blob blob_of_digest(const Described& blob) {
    constexpr std::string_view algorithm = "sha256:";
    const std::string_view digest = blob.text("digest");
    if (!digest.starts_with(algorithm)) {
        throw Problem(fmt::format("expected a digest 'sha256:...', found '{}'",
                                  shortened(digest, longest_quote)));
    }
    return {checked_sha256(digest.substr(algorithm.size())), blob.size("size")};
}

// The file of an entry that is named by its content.
Blob blob_of_entry(const Described& file) {
    const std::string_view algorithm = file.text("checksumAlgorithm");
    if (algorithm != "sha256") {
        throw Problem(fmt::format("expected the checksumAlgorithm 'sha256', found '{}'",
                                  shortened(algorithm, longest_quote)));
    }
    return {checked_sha256(file.text("checksum")), file.size("contentLength")};
}

// Reads the entry of a spec manifest with this beginning of its type.
template <typename Read>
auto read_entry(std::string_view text, std::string_view type, std::string_view what,
                const Read& read) {
    const Document all(without_signature(text), "a spec manifest");
    for (const Json entry : all->list("data")) {
        const Described file{entry, "each file of a spec manifest"};
        if (file.text("mediaType").starts_with(type)) {
            return read(file);
        }
    }
    throw Problem(fmt::format("expected a spec manifest that names {}; it names none", what));
}

LabelledUrl read_labelled(const Json& entry, std::string_view ref) {
    const std::string what = fmt::format("each index of the ref '{}'", ref);
    simdjson::dom::object members;
    std::set<std::string_view> keys;
    if (entry.get(members) == simdjson::SUCCESS) {
        for (const auto [key, value] : members) {
            if (!keys.insert(key).second) {
                throw Problem(fmt::format("'{}' is given twice, in {}", key, what));
            }
        }
    }
    const Described described{entry, what};
    LabelledUrl index{std::string(described.text("label")), std::string(described.text("url"))};
    if (index.label.empty() || index.url.empty()) {
        throw Problem(fmt::format("expected a label and a url that are not empty, in {}", what));
    }
    return index;
}

}  // namespace

std::string without_signature(std::string_view text) {
    constexpr std::string_view start = "-----BEGIN PGP SIGNED MESSAGE-----";
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || !text.substr(begin).starts_with(start)) {
        return std::string(text);
    }
    text.remove_prefix(begin);
    take_line(text);
    std::string message;
    bool in_headers = true;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (in_headers) {
            in_headers = !line.empty();
        } else if (line.starts_with("-----BEGIN PGP SIGNATURE-----")) {
            return message;
        } else {
            message += line.starts_with("- ") ? line.substr(2) : line;
            message += '\n';
        }
    }
    throw Problem("expected the end of a signed message, -----BEGIN PGP SIGNATURE-----");
}

IndexManifest read_index_manifest(std::string_view text) {
    const Document all(without_signature(text), "an index manifest");
    IndexManifest manifest;
    std::vector<int> versions;
    for (const Json entry : all->list("data")) {
        const Described file{entry, "each file of an index manifest"};
        const auto version = database_version(file.text("mediaType"));
        if (!version) {
            continue;
        }
        versions.push_back(*version);
        if (!is_known_version(*version) || *version < manifest.version) {
            continue;
        }
        manifest.version = *version;
        manifest.index = blob_of_entry(file);
    }
    if (versions.empty()) {
        throw Problem("expected an index manifest that names an index; it names none");
    }
    if (manifest.version == 0) {
        throw Problem(fmt::format("expected an index of database version {} to {}, found {}",
                                  oldest_index_version, newest_index_version,
                                  fmt::join(versions, ", ")));
    }
    versions.erase(std::ranges::find(versions, manifest.version));
    std::ranges::sort(versions);
    manifest.others = std::move(versions);
    return manifest;
}

std::uint64_t checked_size(std::uint64_t size) {
    // 13 digits, so that a sum over a million specs is still a number of 64 bits. The view
    // spec_sizes has the same limit.
    constexpr std::uint64_t most_binary_bytes = 9'999'999'999'999;
    if (size > most_binary_bytes) {
        throw Problem(fmt::format("expected a binary of at most {} bytes, found {}",
                                  most_binary_bytes, size));
    }
    return size;
}

std::uint64_t read_binary_size(std::string_view text) {
    return checked_size(
        read_entry(text, "application/vnd.spack.install.", "a binary",
                   [](const Described& file) { return file.size("contentLength"); }));
}

Blob read_spec_blob(std::string_view text) {
    return read_entry(text, "application/vnd.spack.spec.", "a spec file", blob_of_entry);
}

Blob read_layout(std::string_view text) {
    const Document layout(text, "an OCI layout");
    for (const Json entry : layout->list("manifests")) {
        std::string_view tag;
        if (entry["annotations"]["org.opencontainers.image.ref.name"].get(tag) ==
                simdjson::SUCCESS &&
            tag == index_tag) {
            return blob_of_digest({entry, "each manifest of an OCI layout"});
        }
    }
    throw Problem(fmt::format("expected an OCI layout with an index, tagged {}", index_tag));
}

Blob read_layout_manifest(std::string_view text) {
    constexpr std::string_view what = "the OCI manifest of an index";
    const Document manifest(text, what);
    const auto layers = manifest->list("layers");
    if (layers.size() != 1) {
        throw Problem(fmt::format("expected one layer in {}, found {}", what, layers.size()));
    }
    return blob_of_digest({layers.at(0).value(), what});
}

BuildImage read_build_image(std::string_view text) {
    constexpr std::string_view what = "the OCI manifest of a build";
    const Document image(text, what);
    const auto layers = image->list("layers");
    if (layers.size() == 0) {
        throw Problem(fmt::format("expected a layer in {}, found none", what));
    }
    const Described last{layers.at(layers.size() - 1).value(), what};
    return {blob_of_digest({image->get<Json>("config", "an object"), what}),
            checked_size(blob_of_digest(last).size)};
}

std::optional<Blob> read_image_index(std::string_view text) {
    constexpr std::string_view what = "an image index";
    const Document index(text, what);
    simdjson::dom::array images;
    if (index->object["manifests"].get(images) != simdjson::SUCCESS) {
        return std::nullopt;
    }
    if (images.size() == 0) {
        throw Problem(fmt::format("expected a manifest in {}, found none", what));
    }
    return blob_of_digest({images.at(0).value(), what});
}

std::set<std::string> read_tags(std::string_view text) {
    constexpr std::string_view what = "the list of tags";
    const Document all(text, what);
    std::set<std::string> tags;
    if (all->object["tags"].is_null()) {
        return tags;
    }
    for (const Json tag : all->list("tags")) {
        std::string_view name;
        if (tag.get(name) != simdjson::SUCCESS) {
            throw Problem(fmt::format("expected only texts in {}", what));
        }
        tags.emplace(name);
    }
    return tags;
}

std::vector<RefUrls> read_refs(std::string_view text) {
    const Document manifest(text, "a manifest of indexes");
    simdjson::dom::object object;
    if (manifest->object.get(object) != simdjson::SUCCESS) {
        throw Problem(R"(expected a manifest of indexes: {REF: [{"label": ..., "url": ...}]})");
    }
    std::vector<RefUrls> refs;
    std::set<std::string> names;
    std::size_t indexes = 0;
    for (const auto& [ref, value] : object) {
        simdjson::dom::array list;
        const std::string name(ref);
        const std::string quoted = shortened(ref, longest_quote);
        if (value.get(list) != simdjson::SUCCESS) {
            throw Problem(fmt::format("expected a list of indexes for the ref '{}'", quoted));
        }
        if (!names.insert(name).second) {
            throw Problem(fmt::format("expected each ref once, found '{}' again", quoted));
        }
        RefUrls& all = refs.emplace_back(RefUrls{name, {}});
        for (const Json entry : list) {
            if (++indexes > most_indexes) {
                throw Problem(
                    fmt::format("expected at most {} indexes, found more, those of the "
                                "ref '{}' among them",
                                most_indexes, quoted));
            }
            all.indexes.push_back(read_labelled(entry, quoted));
        }
    }
    return refs;
}

}  // namespace cacheledger
