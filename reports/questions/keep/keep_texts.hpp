#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/questions/keep, compiled in.
extern const std::span<const EmbeddedText> keep_texts;

}  // namespace cacheledger
