#pragma once

#include <SQLiteCpp/Database.h>

#include <string_view>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/render/document/feed.hpp"

namespace cacheledger {

/// What the newest twenty snapshots brought, each against the one before it in its series: packages
/// that are new and gone, new versions, and how many builds of each stack came and went. Throws
/// what compare_snapshots() throws.
Feed site_feed(SQLite::Database& database, const Catalog& catalog, std::string_view title);

}  // namespace cacheledger
