#pragma once

#include <algorithm>
#include <string>
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

/// The canonical spelling of the namespace of a recipe: Spack wrote "builtin.mock" and
/// "spack_repo.builtin_mock" for builtin_mock.
inline std::string canonical_name_space(std::string_view name) {
    constexpr std::string_view repositories = "spack_repo.";
    if (name.size() > repositories.size() && name.starts_with(repositories)) {
        name.remove_prefix(repositories.size());
    }
    std::string canonical(name);
    std::replace(canonical.begin(), canonical.end(), '.', '_');
    return canonical;
}

}  // namespace cacheledger
