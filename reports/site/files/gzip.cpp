#include "reports/site/files/gzip.hpp"

#include <libdeflate.h>

#include <new>

#include "schema/libraries/libcrypto.hpp"

namespace cacheledger {

Gzip::Gzip(int level)
    : compressor_(libdeflate_alloc_compressor(level), libdeflate_free_compressor) {
    if (!compressor_) {
        throw std::bad_alloc();
    }
}

std::string Gzip::operator()(std::string_view bytes) const {
    std::string packed(libdeflate_gzip_compress_bound(compressor_.get(), bytes.size()), '\0');
    packed.resize(libdeflate_gzip_compress(compressor_.get(), bytes.data(), bytes.size(),
                                           packed.data(), packed.size()));
    return packed;
}

std::string base64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                    reinterpret_cast<const unsigned char*>(bytes.data()),
                    static_cast<int>(bytes.size()));
    text.pop_back();  // the final NUL
    return text;
}

}  // namespace cacheledger
