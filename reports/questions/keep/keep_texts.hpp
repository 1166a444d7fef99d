#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/questions/keep, compiled in.
extern const std::span<const EmbeddedText> keep_texts;

/// The one of this name.
inline std::string keep_text(std::string_view name) {
    return std::string(std::ranges::find(keep_texts, name, &EmbeddedText::name)->text);
}

}  // namespace cacheledger
