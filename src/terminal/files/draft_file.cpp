#include "src/terminal/files/draft_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/text/number.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace fs = std::filesystem;

namespace {

// The end of a chain of symbolic links: what is no link, or the name of an open file in /proc.
fs::path follow_links(fs::path file) {
    constexpr int most_links = 40;  // Linux's own limit
    std::error_code error;
    for (int link = 0; fs::is_symlink(fs::symlink_status(file, error)); ++link) {
        if (link == most_links) {
            refuse_to_write(file, ELOOP);
        }
        if (fs::canonical(folder_of(file), error).string().starts_with("/proc/")) {
            break;
        }
        file = file.parent_path() / fs::read_symlink(file, error);
    }
    return file;
}

}  // namespace

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : ".";
}

std::optional<fs::path> find_replaceable(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return std::nullopt;
    }
    const fs::path last = follow_links(file);
    return fs::is_symlink(fs::symlink_status(last, error)) ? std::nullopt : std::optional(last);
}

std::optional<int> find_open_file(const fs::path& file) {
    const fs::path last = follow_links(file);
    std::error_code error;
    if (fs::canonical(folder_of(last), error) != fmt::format("/proc/{}/fd", getpid())) {
        return std::nullopt;
    }
    return parse_number<int>(last.filename().string());
}

bool is_part_of_database(const fs::path& file, const fs::path& database) {
    std::error_code error;
    const auto whole = [&](const fs::path& path) {
        const fs::path absolute = fs::absolute(find_replaceable(path).value_or(path));
        const fs::path canonical = fs::weakly_canonical(absolute, error);
        return error ? absolute.lexically_normal() : canonical;  // in a folder of others
    };
    const fs::path written = whole(file);
    for (const char* const end : {"", "-wal", "-shm", "-journal"}) {
        const fs::path part = whole(database) += end;
        if (written == part || fs::equivalent(written, part, error)) {
            return true;
        }
    }
    return false;
}

void refuse_to_write(const fs::path& file, int error) {
    stop_if_interrupted();
    throw UsageError(fmt::format("{}: can't be written: {}", file.string(), std::strerror(error)));
}

namespace fs = std::filesystem;

namespace {

std::string beginning_of_draft_names(const fs::path& target) {
    constexpr std::size_t most_bytes = 200;  // of the 255 that a name may have
    return fmt::format(".{}.cacheledger.", target.filename().string().substr(0, most_bytes));
}

// PROCESS.NUMBER: no name that a user thinks of.
bool is_end_of_draft_name(std::string_view end) {
    const std::size_t dot = end.find('.');
    return dot != std::string_view::npos && parse_number<std::uint32_t>(end.substr(0, dot)) &&
           parse_number<std::uint32_t>(end.substr(dot + 1));
}

bool is_file_of_name(int descriptor, const fs::path& name) {
    struct stat open_file {};
    struct stat there {};
    return fstat(descriptor, &open_file) == 0 && lstat(name.c_str(), &there) == 0 &&
           open_file.st_ino == there.st_ino && open_file.st_dev == there.st_dev;
}

}  // namespace

fs::path draft_name(const fs::path& target, int number) {
    return folder_of(target) /
           fmt::format("{}{}.{}", beginning_of_draft_names(target), getpid(), number);
}

std::vector<fs::path> find_drafts(const fs::path& target) {
    const std::string beginning = beginning_of_draft_names(target);
    std::error_code error;
    std::vector<fs::path> drafts;
    for (const auto& entry : fs::directory_iterator(folder_of(target), error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(beginning) &&
            is_end_of_draft_name(std::string_view(name).substr(beginning.size()))) {
            drafts.push_back(entry.path());
        }
    }
    return drafts;
}

bool lock_new_draft(int descriptor, const fs::path& draft) {
    const bool is_mine = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    return is_mine && is_file_of_name(descriptor, draft);
}

bool lock_leftover(int descriptor, const fs::path& draft) {
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_file_of_name(descriptor, draft);
}

bool take_permissions(int descriptor, const fs::path& target) {
    struct stat there {};
    struct stat draft {};
    if (stat(target.c_str(), &there) != 0 || fstat(descriptor, &draft) != 0) {
        return false;
    }
    mode_t bits = 07777U;
    if (fchown(descriptor, there.st_uid, there.st_gid) != 0) {
        // Without the right to set the owner: the set-uid bit must not go to another one. Nor may
        // another group do more than all: without the right to set the group, it and the others
        // may do what both might before.
        constexpr auto no_change = static_cast<uid_t>(-1);
        const bool has_group =
            draft.st_gid == there.st_gid || fchown(descriptor, no_change, there.st_gid) == 0;
        const mode_t both = (there.st_mode >> 3U) & there.st_mode & S_IRWXO;
        bits = has_group ? S_IRWXU | S_IRWXG | S_IRWXO | S_ISGID : S_IRWXU | both << 3U | both;
    }
    // A file system without permissions gives all files the same ones.
    return (draft.st_mode & 07777U) == (there.st_mode & bits) ||
           fchmod(descriptor, there.st_mode & bits) == 0;
}

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
