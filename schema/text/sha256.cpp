#include "schema/text/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <stdexcept>

#include "schema/libraries/libcrypto.hpp"

namespace cacheledger {

namespace {

void expect_done(int result) {
    if (result != 1) {
        throw std::runtime_error("libcrypto can't make SHA-256 digests");
    }
}

}  // namespace

struct Sha256::Context {
    std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    expect_done(EVP_DigestInit_ex(context_->context.get(), EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(const char* bytes, std::size_t size) {
    expect_done(EVP_DigestUpdate(context_->context.get(), bytes, size));
}

std::string Sha256::hex() {
    std::array<unsigned char, 32> digest{};
    expect_done(EVP_DigestFinal_ex(context_->context.get(), digest.data(), nullptr));
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256_of(std::string_view text) {
    Sha256 digest;
    digest.add(text.data(), text.size());
    return digest.hex();
}

}  // namespace cacheledger
