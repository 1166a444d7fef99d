#include "schema/text/digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "schema/libraries/libcrypto.hpp"

namespace cacheledger {

namespace {

// The id of a git object.
Digest object_id(std::string_view type, std::string_view content) {
    std::string head = fmt::format("{} {}", type, content.size());
    head += '\0';
    return sha1({head, content});
}

}  // namespace

std::string crypto_library_version() {
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}

Digest sha1(std::initializer_list<std::string_view> texts) {
    thread_local const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                                  EVP_MD_CTX_free);
    // Looked up once: EVP_sha1() would be, by name, for every digest.
    static const std::unique_ptr<EVP_MD, void (*)(EVP_MD*)> algorithm(
        EVP_MD_fetch(nullptr, "SHA1", nullptr), EVP_MD_free);
    Digest digest;
    bool is_made = EVP_DigestInit_ex(context.get(), algorithm.get(), nullptr) == 1;
    for (const std::string_view text : texts) {
        is_made = is_made && EVP_DigestUpdate(context.get(), text.data(), text.size()) == 1;
    }
    if (!is_made || EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1) {
        throw std::runtime_error("libcrypto can't make SHA-1 digests, which git names files by");
    }
    return digest;
}

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
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace cacheledger
