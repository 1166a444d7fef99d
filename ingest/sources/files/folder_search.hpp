#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/files/page_files.hpp"

namespace cacheledger {

/// Adds the page files in `folder` and below to `found`, in no order. Adds a Problem for each
/// folder that can't be searched. `jobs`: number of threads, at least 1. Throws UsageError if the
/// threads can't be started.
void search_folder(const std::string& folder, unsigned jobs, FoundFiles& found,
                   std::vector<Problem>& problems);

/// A page in a folder that also has an index. Looks as far down as upstream has pages
/// (`_cache/TAG/PACKAGE/specs.md`), but not where mirrors and install trees have their files.
std::optional<std::string> find_page(const std::string& folder);

/// "envs/*/spack.lock", if any folder in this one has a file of that name.
std::optional<std::string> files_below(const std::string& folder, std::string_view name);

}  // namespace cacheledger
