#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"

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
/// least 1. `standard_input`: reads the text of "-", if that is among them. Throws InputError with
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
