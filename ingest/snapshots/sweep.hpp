#pragma once

#include <span>

#include "schema/basics/embedded_text.hpp"

namespace cacheledger {

/// ingest/snapshots/sweep.sql, compiled in.
extern const std::span<const EmbeddedText> sweep_texts;

}  // namespace cacheledger
