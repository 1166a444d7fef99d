#pragma once

#include <string_view>

namespace cacheledger {

/// If `text` begins with `prefix`, takes that away, and is true.
inline bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace cacheledger
