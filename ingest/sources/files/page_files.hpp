#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// A file that may hold a page.
struct PageFile {
    std::string file;     ///< where to read it; "-" is standard input
    std::string path;     ///< its name in the ledger: the path below the folder that was given
    bool named = false;   ///< given by name, not found in a folder: it must be a page
    std::string content;  ///< of standard input, which can be read only once
};

using ReadText = std::function<std::string()>;

struct FoundFiles {
    std::vector<PageFile> files;  ///< sorted by path
    /// Symbolic links to folders. They were not searched.
    std::vector<std::string> linked_folders;
};

/// The largest size of a page. The largest real ones have half a megabyte.
inline constexpr std::uintmax_t most_page_bytes = 64 << 20;

/// Finds the files that `paths` name: files, "-", and the .md and .txt files in folders and below.
/// Symbolic links to files are followed, links to folders are not. `jobs`: number of threads, at
/// least 1. `standard_input`: reads its text, where that is not simply read. Throws InputError with
/// every path that can't be used, UsageError if the threads can't be started.
FoundFiles find_page_files(const std::vector<std::string>& paths, unsigned jobs = 1,
                           const ReadText& standard_input = {});

/// Whether a file with this name may be a page.
bool may_hold_page(std::string_view file);

/// Throws Problem if `size`, in bytes, is too large for a page.
void refuse_too_large(std::uintmax_t size);

/// The bytes of the file. Throws Problem if it can't be read, is not a regular file or is too
/// large.
std::string read_page_file(const PageFile& file);

/// The bytes of the file `name` in the folder of `page`; nullopt if there is no such file. `name`
/// must not have a '/'. Throws Problem like read_page_file().
std::optional<std::string> read_file_beside(const PageFile& page, const std::string& name);

}  // namespace cacheledger
