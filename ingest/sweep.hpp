#pragma once

#include <span>

#include "schema/embedded_text.hpp"

namespace cacheledger {

/// ingest/sweep.sql.
extern const std::span<const EmbeddedText> sweep_texts;

}  // namespace cacheledger
