#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace cacheledger {

/// Throws Problem: a file can't be read, for this reason (errno).
[[noreturn]] void refuse_unreadable_file(int error);

/// A file, open for reading. It stays readable where its name is removed or given to another.
class OpenFile {
  public:
    /// Throws Problem where it can't be opened.
    explicit OpenFile(const std::string& file);
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// In bytes. Throws Problem if it is not a regular file: a FIFO or a device may block or never
    /// end.
    std::size_t size() const;

    /// Reads up to `size` bytes from the place `from`, fewer only at the end of the file.
    /// Throws Problem.
    std::size_t read(char* into, std::size_t size, std::uint64_t from = 0) const;

  private:
    int descriptor_;
};

/// All bytes of a file. Throws Problem as OpenFile does, and if it has more than `most`.
std::string read_small_file(const std::string& file, std::size_t most);

/// Whether the folder looks like a git repository, bare or not.
bool is_git_repository(const std::filesystem::path& folder);

/// Whether a file that begins like this is a git bundle: the objects of a repository in one file.
bool is_git_bundle(std::string_view head);

/// "FILE: a git bundle; to make a repository of it: git clone --bare FILE"
std::string hint_at_bundle(const std::string& file);

/// "DIR: a git repository; to load its commits: cacheledger ingest --history DIR"
std::string hint_at_history(const std::string& folder);

}  // namespace cacheledger
