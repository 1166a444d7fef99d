#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace cacheledger {

/// The number that the whole text spells in decimal digits. Returns nullopt if the text is anything
/// else, or the number is out of range.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace cacheledger
