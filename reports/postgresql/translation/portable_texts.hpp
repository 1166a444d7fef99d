#pragma once

#include <span>

#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// reports/postgresql/translation/*.sql, compiled in.
extern const std::span<const EmbeddedText> portable_texts;

}  // namespace cacheledger
