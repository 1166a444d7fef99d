#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace cacheledger {

/// The SHA-256 of bytes that come in pieces: mirrors name and check their files by it.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&& other) noexcept;
    Sha256& operator=(Sha256&& other) noexcept;

    void add(const char* bytes, std::size_t size);

    /// 64 lower-case hex digits. To be called once, at the end.
    std::string hex();

  private:
    struct Context;
    std::unique_ptr<Context> context_;
};

std::string sha256_of(std::string_view text);

}  // namespace cacheledger
