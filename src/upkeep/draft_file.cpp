#include "src/upkeep/draft_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "schema/basics/error.hpp"
#include "src/stopping/interruption.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_target(const fs::path& target, int error) {
    stop_if_interrupted();  // the interruption may be the reason
    const std::string problem =
        fmt::format("{}: can't be written: {}", target.string(), std::strerror(error));
    if (error == ENOSPC || error == EIO || error == EDQUOT) {
        throw DatabaseError(problem);
    }
    throw UsageError(problem);
}

fs::path folder_of_target(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : ".";
}

std::string beginning_of_draft_names(const fs::path& target) {
    return fmt::format(".{}.cacheledger.", target.filename().string());
}

// Opens the file and locks it; -1 if another process has the lock, or it is gone (errno is 0).
int lock_draft(const fs::path& draft, int flags, mode_t mode = 0) {
    errno = 0;
    const int file =
        open(draft.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, mode);
    struct stat locked {};
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &locked) == 0 &&
        S_ISREG(locked.st_mode) && locked.st_nlink > 0) {
        return file;
    }
    const int why = errno;
    if (file >= 0) {
        close(file);
    }
    errno = why;
    return -1;
}

// For a copy of the file, minus the bits of umask.
mode_t mode_of_copy(const fs::path& original) {
    constexpr mode_t all = 0666;
    struct stat status {};
    return S_IRUSR | S_IWUSR |
           (stat(original.c_str(), &status) == 0 ? status.st_mode & all : mode_t{0});
}

// SQLite's files first: without the draft nothing would tell what they are.
void remove_draft(const fs::path& draft) {
    for (const char* const ending : {"-wal", "-shm", "-journal", ""}) {
        unlink((draft.string() + ending).c_str());
    }
}

void remove_left_drafts(const fs::path& target) {
    std::error_code error;
    std::vector<fs::path> drafts;
    for (const auto& entry : fs::directory_iterator(folder_of_target(target), error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(beginning_of_draft_names(target)) &&
            name.find_first_of('-', beginning_of_draft_names(target).size()) == std::string::npos) {
            drafts.push_back(entry.path());
        }
    }
    for (const fs::path& draft : drafts) {
        if (const int file = lock_draft(draft, 0); file >= 0) {
            remove_draft(draft);
            close(file);
        }
    }
}

}  // namespace

DraftFile::DraftFile(fs::path target, const fs::path& original) : target_(std::move(target)) {
    remove_left_drafts(target_);
    struct stat before {};
    const bool is_there = stat(target_.c_str(), &before) == 0;
    if (is_there && access(target_.c_str(), W_OK) != 0) {
        refuse_target(target_, errno);
    }
    make(mode_of_copy(original));
    if (!is_there) {
        return;
    }
    // Without the right to set the owner: the set-uid bit must not go to another one.
    const mode_t bits =
        fchown(file_, before.st_uid, before.st_gid) == 0 ? 07777U : S_IRWXU | S_IRWXG | S_IRWXO;
    fchmod(file_, before.st_mode & bits);
}

DraftFile::~DraftFile() {
    if (!path_.empty()) {
        remove_draft(path_);
    }
    close(file_);
}

// Another run may take the new file for a leftover, until this one has the lock.
void DraftFile::make(mode_t mode) {
    for (int number = 0; file_ < 0; ++number) {
        path_ = folder_of_target(target_) /
                fmt::format("{}{}.{}", beginning_of_draft_names(target_), getpid(), number);
        file_ = lock_draft(path_, O_CREAT | O_EXCL, mode);
        if (file_ < 0 && errno != EEXIST && errno != EWOULDBLOCK && errno != 0) {
            refuse_target(target_, errno);
        }
    }
}

void DraftFile::sync() const {
    if (fsync(file_) != 0) {
        refuse_target(target_, errno);
    }
}

void DraftFile::replace() {
    if (rename(path_.c_str(), target_.c_str()) != 0) {
        refuse_target(target_, errno);
    }
    path_.clear();
    const int folder = open(folder_of_target(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {  // else it may not be read, and the system writes it in its own time
        const bool is_written = fsync(folder) == 0;
        const int why = errno;
        close(folder);
        if (!is_written && why != EINVAL) {  // the file system does not sync folders
            refuse_target(target_, why);
        }
    }
}

}  // namespace cacheledger
