#pragma once

#include <sys/types.h>

#include <filesystem>

namespace cacheledger {

/// What the system refused; `number` is its errno.
struct DraftError {
    int number;
};

/// An empty file that takes the place of another when it is filled: that one is whole at any
/// moment, also after a crash of the machine. What a killed run left beside it is removed by the
/// next. Every function but path() throws DraftError, and Interrupted.
class DraftFile {
  public:
    /// Makes it, beside `target`, with the permissions that this has, and with its owner and group
    /// as far as this process may give them. If there is none yet: with `mode`, minus the bits of
    /// umask.
    DraftFile(std::filesystem::path target, mode_t mode);

    /// Removes what did not take its place.
    ~DraftFile();
    DraftFile(const DraftFile&) = delete;
    DraftFile& operator=(const DraftFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// To write to it. It is open as long as this lives.
    int descriptor() const { return file_; }

    /// Writes it to the disk.
    void sync() const;

    /// Takes the place of the target. Call sync() before: after a crash, the name must not exist
    /// without the content.
    void replace();

  private:
    explicit DraftFile(std::filesystem::path target);
    void make(mode_t mode);

    std::filesystem::path target_;
    std::filesystem::path path_;
    int file_ = -1;  // locked: another run takes the draft for no leftover
};

}  // namespace cacheledger
