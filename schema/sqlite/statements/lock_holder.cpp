#include "schema/sqlite/statements/lock_holder.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <fstream>
#include <optional>

namespace cacheledger {

namespace {

// The process whose lock keeps these bytes of the file from being locked. The file stays open: to
// close it would release the locks that this process has on it (fcntl(2)).
std::optional<pid_t> holder_of(const std::filesystem::path& file, off_t begin, off_t length) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return std::nullopt;
    }
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = begin;
    lock.l_len = length;
    const bool is_held = fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    return is_held ? std::optional(lock.l_pid) : std::nullopt;
}

std::optional<pid_t> user_of(const std::filesystem::path& file) {
    // https://sqlite.org/walformat.html, 2.3: WAL_WRITE_LOCK, a byte of the log's index.
    constexpr off_t log_write_lock = 120;
    // WAL_READ_LOCK: who reads keeps the log, and the file, from being cut.
    constexpr off_t log_read_locks = 123;
    constexpr off_t num_log_read_locks = 5;
    // SQLite's os.h, for databases without a log: a writer locks PENDING_BYTE and RESERVED_BYTE,
    // and a reader the range at SHARED_FIRST, which keeps the writer from its commit.
    constexpr off_t pending_and_reserved = 0x40000000;
    constexpr off_t shared = pending_and_reserved + 2;
    if (const auto writer = holder_of(file.string() + "-shm", log_write_lock, 1)) {
        return writer;
    }
    if (const auto writer = holder_of(file, pending_and_reserved, 2)) {
        return writer;
    }
    if (const auto reader = holder_of(file.string() + "-shm", log_read_locks, num_log_read_locks)) {
        return reader;
    }
    return holder_of(file, shared, 510);
}

}  // namespace

std::string lock_holder(const std::filesystem::path& file) {
    const auto process = user_of(file);
    if (!process || *process <= 0) {
        return "another process";
    }
    std::string name;
    std::getline(std::ifstream(fmt::format("/proc/{}/comm", *process)), name);
    return name.empty() ? fmt::format("process {}", *process)
                        : fmt::format("{}, process {}", name, *process);
}

}  // namespace cacheledger
