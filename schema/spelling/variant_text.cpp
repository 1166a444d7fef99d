#include "schema/spelling/variant_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cacheledger {

namespace {

// The value with quotes if Spack writes it with quotes. The rule is Spack's own.
std::string quoted(const std::string& value) {
    const bool bare = std::all_of(value.begin(), value.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view(",/_.-").find(c) != std::string_view::npos;
    });
    if (value == "*" || (bare && !value.empty())) {
        return value;
    }
    if (value.find('\'') == std::string::npos) {
        return "'" + value + "'";
    }
    return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string variant_text(const std::string& name, const std::vector<std::string>& values) {
    if (values.size() == 1 && values[0] == "true") {
        return "+" + name;
    }
    if (values.size() == 1 && values[0] == "false") {
        return "~" + name;
    }
    return name + "=" + quoted(fmt::format("{}", fmt::join(values, ",")));
}

}  // namespace cacheledger
