#include "reports/site/files/data_file.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <new>

#include "reports/render/formats/table_grid.hpp"
#include "schema/libraries/libcrypto.hpp"
#include "schema/text/sha256.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t digits_of_digest = 16;

}  // namespace

std::string script_json(const Value& value) {
    std::string json;
    add_json(json, value);
    // In JSON, < is only in texts. Line ends of Unicode are written out already.
    for (auto at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
        json.replace(at, 1, "\\u003c");
    }
    return json;
}

std::string json_object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
    std::string object = "{";
    for (const auto& [key, member] : members) {
        object.append(object.size() == 1 ? "\"" : ",\"").append(key).append("\":").append(member);
    }
    return object + "}";
}

std::string write_data_file(const std::string& key, std::string_view json, const WriteFile& write) {
    const std::string content = fmt::format(R"((globalThis.CACHELEDGER??={{}})["{}"]={};)"
                                            "\n",
                                            key, json);
    std::string digest = sha256_of(content).substr(0, digits_of_digest);
    write(data_file_name(key, digest), content);
    return digest;
}

std::string data_file_name(const std::string& key, const std::string& digest) {
    return fmt::format("data/{}.{}.js", key, digest);
}

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
