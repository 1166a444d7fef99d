#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ingest/sources/page_files.hpp"

namespace cacheledger {

/// Adds what `folder` holds, however deep, to `found` (files in no order) and to `problems` a line
/// for each folder that can't be searched. `jobs`: number of threads, at least 1. Throws
/// UsageError where not so many can be started.
void search_folder(const std::string& folder, unsigned jobs, FoundFiles& found,
                   std::vector<std::string>& problems);

/// A page in a folder that holds an index. It looks as far down as upstream has pages
/// (`_cache/TAG/PACKAGE/specs.md`), but not where mirrors and install trees have their files.
std::optional<std::string> find_page(const std::string& folder);

}  // namespace cacheledger
