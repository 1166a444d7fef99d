#pragma once

#include <filesystem>

namespace cacheledger {

/// Throws UsageError if `folder` is there and is something other than an empty folder or a site:
/// it would be lost. A site with a file that is not of it is such a thing, too.
void refuse_other_than_site(const std::filesystem::path& folder);

}  // namespace cacheledger
