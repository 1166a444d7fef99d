#pragma once

#include <span>

#include "schema/basics/embedded_text.hpp"

namespace cacheledger {

/// ingest/snapshots/unreached.sql, compiled in: to be run before the one below.
extern const std::span<const EmbeddedText> unreached_texts;

/// ingest/snapshots/sweep.sql, compiled in.
extern const std::span<const EmbeddedText> sweep_texts;

}  // namespace cacheledger
