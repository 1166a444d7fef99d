#pragma once

#include <algorithm>
#include <string_view>

namespace cacheledger {

/// Letters of ASCII, digits and '_', of which Spack makes names.
constexpr bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether Spack takes the text for the name of a package: word characters, and '-' behind the
/// first of them.
constexpr bool is_package_name(std::string_view text) {
    return !text.empty() && text.front() != '-' &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return is_word_character(c) || c == '-'; });
}

}  // namespace cacheledger
