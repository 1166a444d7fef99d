#include "src/terminal/files/drafts.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

#include "schema/text/number.hpp"
#include "src/terminal/files/target.hpp"

namespace cacheledger {

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

}  // namespace cacheledger
