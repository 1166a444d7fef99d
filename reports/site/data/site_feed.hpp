#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/render/document/feed.hpp"

namespace cacheledger {

/// What the newest twenty snapshots brought, each against the one before it in its series: packages
/// that are new and gone, new versions, and how many builds of each stack came and went. The newest
/// one of each series is always among them, of a hundred series at most. `last`: only the newest
/// ones of each series. Throws what compare_snapshots() throws.
Feed site_feed(SQLite::Database& database, const Catalog& catalog, std::string_view title,
               std::optional<std::size_t> last);

}  // namespace cacheledger
