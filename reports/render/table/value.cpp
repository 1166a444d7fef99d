#include "reports/render/table/value.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cacheledger {

bool is_null(const Value& value) {
    return std::holds_alternative<std::monostate>(value);
}

bool is_number(const Value& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::string to_text(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        return *text;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return fmt::format("{}", *integer);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return fmt::format("{}", *real);
    }
    return "";
}

std::int64_t integer(const Value& value) {
    return std::get<std::int64_t>(value);
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
    std::string text;
    const std::size_t shown = words.size() <= most + 1 ? words.size() : most;
    for (std::size_t i = 0; i < shown; ++i) {
        text += i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return shown == words.size() ? text
                                 : fmt::format("{} and {} others", text, words.size() - shown);
}

}  // namespace cacheledger
