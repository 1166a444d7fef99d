#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace cacheledger {

// What is asked about a file before it is written.

/// The folder that a file is in.
std::filesystem::path folder_of(const std::filesystem::path& file);

/// The file to replace, at the end of a chain of symbolic links; it may not exist. Returns nullopt
/// for a file that is written directly: a device, a pipe, or the name of an open file such as
/// /dev/stdout. Throws UsageError for a chain without an end.
std::optional<std::filesystem::path> find_replaceable(const std::filesystem::path& file);

/// The number of the open file of this process that `file` names, such as 1 for /dev/stdout. Throws
/// UsageError for a chain of symbolic links without an end.
std::optional<int> find_open_file(const std::filesystem::path& file);

/// Whether `file` is the database, or one of SQLite's files beside it.
bool is_part_of_database(const std::filesystem::path& file, const std::filesystem::path& database);

/// Throws UsageError "FILE: can't be written: ..." with the system's reason, an errno; Interrupted
/// if a signal came, which may be the reason.
[[noreturn]] void refuse_to_write(const std::filesystem::path& file, int error);

// A draft is a file or folder beside its target, whose place it takes when it is filled. The name
// tells whose draft it is. A lock tells that a run is at work on it: what a killed run left has
// none, and the next run removes it.

/// The draft with this number of this process.
std::filesystem::path draft_name(const std::filesystem::path& target, int number);

/// All drafts of all processes, without SQLite's files beside them.
std::vector<std::filesystem::path> find_drafts(const std::filesystem::path& target);

/// Locks a draft that this run made. Returns false if it is gone: another run took it for a
/// leftover in the moment before. A file system without locks is no reason to stop.
bool lock_new_draft(int descriptor, const std::filesystem::path& draft);

/// Locks a draft if no run is at work on it, and returns whether it is so. Without locks nothing is
/// a leftover.
bool lock_leftover(int descriptor, const std::filesystem::path& draft);

/// Gives an open draft the permissions of its target, and its owner and group as far as this
/// process may; to no other group more than all may do. Returns false, with errno, if the
/// permissions can't be given.
bool take_permissions(int descriptor, const std::filesystem::path& target);

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
