#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cacheledger {

/// Whether the character is a decimal digit, in every locale.
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The number that the whole text spells in decimal digits. Returns nullopt if the text is anything
/// else, or the number is out of range.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

/// The number for people: 1204 as "1,204".
inline std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t place = digits.size(); place > first + 3; place -= 3) {
        digits.insert(place - 3, 1, ',');
    }
    return digits;
}

}  // namespace cacheledger
