#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cacheledger {

/// A file that may hold a page.
struct PageFile {
    std::filesystem::path file;  ///< where to read it; "-" is standard input
    std::string path;     ///< what it is called in the ledger: below the folder that was given
    bool named = false;   ///< given by name, not found in a folder: it must be a page
    std::string content;  ///< of standard input, which can be read only once
};

/// What find_page_files() found.
struct FoundFiles {
    std::vector<PageFile> files;  ///< sorted by path
    /// Symbolic links to folders, which were not searched.
    std::vector<std::string> linked_folders;
};

/// A page larger than this is refused: the largest real ones are half a megabyte.
inline constexpr std::uintmax_t most_page_bytes = 64 << 20;

/// The files that `paths` name, sorted by path: files, "-", and what folders hold in .md and .txt
/// files, however deep. Symbolic links to files are followed, to folders they are not. Throws
/// InputError, listing every path that can't be used.
FoundFiles find_page_files(const std::vector<std::string>& paths);

/// The bytes of the file. Throws std::invalid_argument (" why") where it can't be read, is no
/// regular file or too large.
std::string read_page_file(const PageFile& file);

}  // namespace cacheledger
