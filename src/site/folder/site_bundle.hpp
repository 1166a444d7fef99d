#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/site/data_file.hpp"

namespace cacheledger {

/// The files that are the same in every site: the pages and SQLite for the browser, without the
/// data.
inline const std::vector<std::string> bundle_files = {"index.html", "app.js", "app.css",
                                                      "licences.txt", "data/sqlite.js"};

/// The folder with these files: $CACHELEDGER_SITE_BUNDLE; else share/cacheledger/site beside the
/// program's folder, where it is installed; else site-bundle in the program's folder, where it is
/// built. Throws UsageError, which says how to get it, if a file is missing.
std::filesystem::path find_bundle();

/// Writes the files of the bundle. Throws UsageError if one can't be read.
void copy_bundle(const std::filesystem::path& bundle, const WriteFile& write);

}  // namespace cacheledger
