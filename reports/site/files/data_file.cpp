#include "reports/site/files/data_file.hpp"

#include <fmt/format.h>

#include "reports/render/formats/renderers.hpp"
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

}  // namespace cacheledger
