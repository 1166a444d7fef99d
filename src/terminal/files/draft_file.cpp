#include "src/terminal/files/draft_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "src/terminal/files/drafts.hpp"
#include "src/terminal/files/target.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(int error) {
    stop_if_interrupted();  // the interruption may be the reason
    throw DraftError{error};
}

int open_draft(const fs::path& draft, int flags, mode_t mode = 0) {
    return open(draft.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, mode);
}

// SQLite's files first: without the draft nothing would tell what they are.
void remove_draft(const fs::path& draft) {
    for (const char* const ending : {"-wal", "-shm", "-journal", ""}) {
        unlink((draft.string() + ending).c_str());
    }
}

void remove_left_drafts(const fs::path& target) {
    for (const fs::path& draft : find_drafts(target)) {
        const int file = open_draft(draft, 0);
        if (file < 0) {
            continue;
        }
        if (lock_leftover(file, draft)) {
            remove_draft(draft);
        }
        close(file);
    }
}

}  // namespace

DraftFile::DraftFile(fs::path target) : target_(std::move(target)) {}

// By way of the other constructor: if this one throws, the destructor removes the draft.
DraftFile::DraftFile(fs::path target, mode_t mode) : DraftFile(std::move(target)) {
    remove_left_drafts(target_);
    std::error_code error;
    const bool is_there = fs::exists(target_, error);
    if (is_there && access(target_.c_str(), W_OK) != 0) {
        fail(errno);
    }
    // Until it has the permissions of the target, nobody else may open it.
    make(is_there ? S_IRUSR | S_IWUSR : mode);
    if (is_there && !take_permissions(file_, target_)) {
        fail(errno);
    }
}

DraftFile::~DraftFile() {
    if (file_ < 0) {
        return;
    }
    if (!path_.empty()) {
        remove_draft(path_);
    }
    close(file_);
}

// Another run may take the new file for a leftover, until this one has the lock.
void DraftFile::make(mode_t mode) {
    for (int number = 0; file_ < 0; ++number) {
        path_ = draft_name(target_, number);
        const int file = open_draft(path_, O_CREAT | O_EXCL, mode);
        if (file < 0 && errno != EEXIST) {
            fail(errno);
        }
        if (file >= 0 && lock_new_draft(file, path_)) {
            file_ = file;
        } else if (file >= 0) {
            close(file);
        }
    }
}

void DraftFile::sync() const {
    if (fsync(file_) != 0) {
        fail(errno);
    }
}

void DraftFile::replace() {
    if (rename(path_.c_str(), target_.c_str()) != 0) {
        fail(errno);
    }
    path_.clear();
    const int folder = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {  // else it may not be read, and the system writes it in its own time
        const bool is_written = fsync(folder) == 0;
        const int why = errno;
        close(folder);
        if (!is_written && why != EINVAL) {  // the file system does not sync folders
            fail(why);
        }
    }
}

}  // namespace cacheledger
