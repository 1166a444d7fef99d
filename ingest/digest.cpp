#include "ingest/digest.hpp"

#include <fmt/format.h>
#include <nettle/sha1.h>

#include <algorithm>

namespace cacheledger {

namespace {

void update(sha1_ctx& context, std::string_view bytes) {
    sha1_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

// The id of a git object.
Digest object_id(std::string_view type, std::string_view content) {
    sha1_ctx context;
    sha1_init(&context);
    update(context, fmt::format("{} {}", type, content.size()));
    update(context, std::string_view("\0", 1));
    update(context, content);
    Digest digest;
    sha1_digest(&context, digest.size(), digest.data());
    return digest;
}

}  // namespace

Digest blob_id(std::string_view content) {
    return object_id("blob", content);
}

Digest tree_id(std::vector<TreeEntry> files) {
    // As bytes, which is how git orders files.
    std::sort(files.begin(), files.end(),
              [](const TreeEntry& a, const TreeEntry& b) { return a.name < b.name; });
    std::string content;
    for (const TreeEntry& file : files) {
        content += fmt::format("100644 {}", file.name);
        content += '\0';
        content.append(file.blob.begin(), file.blob.end());
    }
    return object_id("tree", content);
}

std::string to_hex(const Digest& digest) {
    std::string text;
    for (const std::uint8_t byte : digest) {
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

}  // namespace cacheledger
