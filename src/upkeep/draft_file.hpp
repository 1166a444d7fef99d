#pragma once

#include <sys/types.h>

#include <filesystem>

namespace cacheledger {

/// An empty file that takes the place of another when it is filled: that one is whole at any
/// moment, also after a crash of the machine. What a killed run left beside it is removed by the
/// next.
class DraftFile {
  public:
    /// Makes it, beside `target`, with the owner and the permissions that this has. If there is
    /// none yet, it is for a copy of `original`, and whom the permissions of that keep out can't
    /// read it. Throws UsageError, which names `target`, if it can't be made.
    DraftFile(std::filesystem::path target, const std::filesystem::path& original);

    /// Removes what did not take its place.
    ~DraftFile();
    DraftFile(const DraftFile&) = delete;
    DraftFile& operator=(const DraftFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Writes it to the disk.
    void sync() const;

    /// Takes the place of the target. Call sync() before.
    void replace();

  private:
    void make(mode_t mode);

    std::filesystem::path target_;
    std::filesystem::path path_;
    int file_ = -1;  // locked: another run takes the draft for no leftover
};

}  // namespace cacheledger
