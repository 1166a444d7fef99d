#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_name.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// dependent_objects.sql, compiled in.
extern const std::span<const EmbeddedText> dependent_texts;

/// What users made that goes when the ledger is dropped: views on it, objects in its schemas,
/// publications that have its tables. In words, "the view public.dash", sorted. Throws what
/// PostgresConnection throws.
std::vector<std::string> dependent_objects(PostgresConnection& connection,
                                           const PublishedName& name);

}  // namespace cacheledger
