#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace cacheledger {

/// If `text` begins with `prefix`, takes that away, and is true.
inline bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

/// What stands between the separators: at least one text, which may be empty.
inline std::vector<std::string_view> split_at(char separator, std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

}  // namespace cacheledger
