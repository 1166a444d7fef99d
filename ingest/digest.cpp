#include "ingest/digest.hpp"

#include <fmt/format.h>
#include <nettle/sha1.h>

namespace cacheledger {

namespace {

void update(sha1_ctx& context, std::string_view bytes) {
    sha1_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

}  // namespace

Digest blob_id(std::string_view content) {
    sha1_ctx context;
    sha1_init(&context);
    update(context, fmt::format("blob {}", content.size()));
    update(context, std::string_view("\0", 1));
    update(context, content);
    Digest digest;
    sha1_digest(&context, digest.size(), digest.data());
    return digest;
}

std::string to_hex(const Digest& digest) {
    std::string text;
    for (const std::uint8_t byte : digest) {
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

}  // namespace cacheledger
