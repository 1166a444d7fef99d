#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/site/files/data_file.hpp"

namespace cacheledger {

/// The files that are the same in every site: the pages and SQLite for the browser, without the
/// data.
inline const std::vector<std::string> bundle_files = {
    "index.html", "theme.js", "app.js", "app.css", "licences.txt", "data/sqlite.js"};

/// The folder with these files: $CACHELEDGER_SITE_BUNDLE; else share/cacheledger/site beside the
/// program's folder, where it is installed; else site-bundle in the program's folder, where it is
/// built. Throws UsageError, which says how to get it, if a file is missing.
std::filesystem::path find_bundle();

/// The page that the program completes (reports/site/data/site_data.hpp).
inline constexpr std::string_view front_file = "index.html";

/// What is new, for readers of feeds (reports/site/data/site_data.hpp).
inline constexpr std::string_view feed_file = "feed.xml";

/// A file of the bundle. Throws UsageError if it can't be read.
std::string read_bundle_file(const std::filesystem::path& bundle, std::string_view name);

/// Writes the files of the bundle, except the front page. Throws UsageError if one can't be read.
void copy_bundle(const std::filesystem::path& bundle, const WriteFile& write);

}  // namespace cacheledger
