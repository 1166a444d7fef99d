#pragma once

#include <string>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/site/files/data_file.hpp"

namespace cacheledger {

/// Writes all reports of the catalog, and the statements that some of them need before they run
/// (reports/site/FORMAT.md, "reports"). Returns the digest of their file.
std::string write_reports(const Catalog& catalog, const WriteFile& write);

}  // namespace cacheledger
