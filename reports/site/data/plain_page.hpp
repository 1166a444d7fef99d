#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/site/data/site_results.hpp"

namespace cacheledger {

/// What index.html says of the site without its scripts, as HTML.
struct PlainPage {
    std::string head;  ///< <title> and the description
    std::string text;  ///< the numbers of coverage/summary, and what changed since the one before
};

/// For readers without JavaScript, and for those who are sent a link. Throws what run_report()
/// throws.
PlainPage plain_page(SQLite::Database& database, const Catalog& catalog, std::string_view title,
                     const SiteSnapshots& snapshots);

/// The page of the bundle with these in their places: between <!-- head --> and <!-- /head -->,
/// between <!-- text --> and <!-- /text -->, and between <!-- data --> and <!-- /data --> what
/// loads these files of data. A page without such a place stays as it is there.
std::string filled(std::string page, const PlainPage& plain, const std::vector<std::string>& files);

}  // namespace cacheledger
