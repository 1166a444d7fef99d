#pragma once

#include <span>

#include "schema/basics/embedded_text.hpp"

namespace cacheledger {

/// reports/portable/*.sql, compiled in.
extern const std::span<const EmbeddedText> portable_texts;

}  // namespace cacheledger
