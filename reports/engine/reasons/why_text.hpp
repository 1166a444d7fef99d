#pragma once

#include <span>
#include <string>
#include <string_view>

#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/engine/reasons, compiled in.
extern const std::span<const EmbeddedText> why_texts;

/// The text of one, by its name without ".sql".
std::string why_text(std::string_view name);

}  // namespace cacheledger
