#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cacheledger {

/// A file that may hold a page.
struct PageFile {
    std::filesystem::path file;  ///< where to read it; "-" is standard input
    std::string path;    ///< what it is called in the ledger: below the folder that was given
    bool named = false;  ///< given by name, not found in a folder: then it must be a page
};

/// A page larger than this is refused: the largest real ones are half a megabyte.
inline constexpr std::uintmax_t most_page_bytes = 64 << 20;

/// The files that `paths` name, sorted by path: files, "-", and what folders hold in .md and .txt
/// files, however deep. Symbolic links to files are followed, to folders they are not. Throws
/// InputError, listing every path that can't be used.
std::vector<PageFile> find_page_files(const std::vector<std::string>& paths);

/// The bytes of the file. Throws std::invalid_argument (" why") where it can't be read, is no
/// regular file or too large.
std::string read_page_file(const PageFile& file);

}  // namespace cacheledger
