#pragma once

namespace cacheledger {

/// Whether the character is a decimal digit, in every locale.
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace cacheledger
