#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// A file that may hold a page.
struct PageFile {
    std::string file;     ///< where to read it; "-" is standard input
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
/// InputError, listing every path that can't be used. `jobs`: number of threads, at least 1.
/// `standard_input`: its text, where that was read already.
FoundFiles find_page_files(const std::vector<std::string>& paths, unsigned jobs = 1,
                           const std::optional<std::string>& standard_input = std::nullopt);

/// Whether a file, by its name, may be a page.
bool may_hold_page(std::string_view file);

/// Throws Problem where `size`, in bytes, is too large for a page.
void refuse_too_large(std::uintmax_t size);

/// The bytes of the file. Throws Problem where it can't be read, is no
/// regular file or too large.
std::string read_page_file(const PageFile& file);

/// Throws Problem where `name`, which a page gives, is more than the name of
/// a file beside it: pages come from public places, and may not lead out of their folder.
void refuse_path(const std::string& name);

/// The bytes of the file of this name in the page's folder, read as pages are. Throws
/// Problem.
std::string read_file_beside(const PageFile& page, const std::string& name);

}  // namespace cacheledger
