#include "ingest/sources/files/open_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/errors/hint.hpp"

namespace cacheledger {

void refuse_unreadable_file(int error) {
    if (error == ENXIO) {  // a socket
        throw Problem("expected a regular file");
    }
    throw Problem(fmt::format("can't be read: {}", std::strerror(error)));
}

OpenFile::OpenFile(const std::string& file)
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    : descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (descriptor_ < 0) {
        refuse_unreadable_file(errno);
    }
}

OpenFile::~OpenFile() {
    close(descriptor_);
}

std::size_t OpenFile::size() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) {
        refuse_unreadable_file(errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throw Problem("expected a regular file");
    }
    return static_cast<std::size_t>(status.st_size);
}

std::size_t OpenFile::read(char* into, std::size_t size, std::uint64_t from) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count =
            pread(descriptor_, into + done, size - done, static_cast<off_t>(from + done));
        if (count < 0 && errno != EINTR) {
            refuse_unreadable_file(errno);
        }
        if (count == 0) {
            break;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    return done;
}

std::string read_small_file(const std::string& file, std::size_t most) {
    const OpenFile open(file);
    if (open.size() > most) {
        throw Problem(fmt::format("expected at most {} bytes", most));
    }
    std::string bytes(open.size(), '\0');
    bytes.resize(open.read(bytes.data(), bytes.size()));
    return bytes;
}

bool is_git_repository(const std::filesystem::path& folder) {
    std::error_code ignored;
    const bool is_bare = std::filesystem::is_regular_file(folder / "HEAD", ignored) &&
                         std::filesystem::is_directory(folder / "objects", ignored) &&
                         std::filesystem::is_directory(folder / "refs", ignored);
    return is_bare || std::filesystem::exists(folder / ".git", ignored);
}

bool is_git_bundle(std::string_view head) {
    return head.starts_with("# v2 git bundle\n") || head.starts_with("# v3 git bundle\n");
}

std::string hint_at_bundle(const std::string& file) {
    return fmt::format("{}: a git bundle; to make a repository of it: git clone --bare {}", file,
                       shell_quoted(file));
}

std::string hint_at_history(const std::string& folder) {
    return fmt::format("{}: a git repository; to load its commits: {}", folder,
                       command_hint({"ingest", "--history", folder}));
}

}  // namespace cacheledger
