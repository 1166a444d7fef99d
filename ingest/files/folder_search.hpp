#pragma once

#include <string>
#include <vector>

#include "ingest/files/page_files.hpp"

namespace cacheledger {

/// Adds what `folder` holds, however deep, to `found` (files in no order) and to `problems` a line
/// for each folder that can't be searched. `jobs`: number of threads, at least 1. Throws
/// UsageError where not so many can be started.
void search_folder(const std::string& folder, unsigned jobs, FoundFiles& found,
                   std::vector<std::string>& problems);

}  // namespace cacheledger
