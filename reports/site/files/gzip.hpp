#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct libdeflate_compressor;

namespace cacheledger {

/// Makes gzip of texts and bytes, whole: the same bytes give the same gzip, which says no time.
class Gzip {
  public:
    /// `level`: from 1 to 12, as of libdeflate.
    explicit Gzip(int level);

    std::string operator()(std::string_view bytes) const;

  private:
    std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor_;
};

/// The bytes as a text.
std::string base64(std::string_view bytes);

}  // namespace cacheledger
