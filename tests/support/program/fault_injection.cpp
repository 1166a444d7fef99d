// Makes what a program writes fail. To be loaded before it (LD_PRELOAD), with
//
//     CACHELEDGER_FAULT_AT    the number, from 1, of the write in question; 0 or nothing: none
//     CACHELEDGER_FAULT       what happens there: kill (before it), torn (half of it is written,
//     and
//                             the process killed), full (no space, from there on), error (once),
//                             stop (before it, until SIGCONT); without a number: no-locks, as of
//                             a file system that has no flock()
//     CACHELEDGER_FAULT_COUNT a file that gets the number of writes, when the process ends
//
// A write is whatever changes a file: to write, cut, sync, rename or remove one. The three standard
// streams don't count, nor SQLite's index of a log (-shm), which is memory that processes share.

#include <dlfcn.h>
#include <sys/file.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

std::atomic<long> writes{0};

const char* text_of(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

enum class Fault { none, torn, full, error };

bool counts(int file) {
    std::array<char, 4096> name{};
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    return file > STDERR_FILENO && readlink(link.c_str(), name.data(), name.size() - 1) > 0 &&
           !std::string_view(name.data()).ends_with("-shm");
}

// What is to happen to the write that is due.
Fault next_write() {
    static const long at = std::atol(text_of("CACHELEDGER_FAULT_AT"));
    static const std::string_view kind = text_of("CACHELEDGER_FAULT");
    const long number = ++writes;
    if (at == 0 || number < at || (number > at && kind != "full")) {
        return Fault::none;
    }
    if (kind == "kill") {
        kill(getpid(), SIGKILL);
    }
    if (kind == "stop") {
        raise(SIGSTOP);
        return Fault::none;
    }
    return kind == "torn" ? Fault::torn : kind == "full" ? Fault::full : Fault::error;
}

template <typename Function>
Function* original(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <typename Result, typename Act>
Result guarded(Act act) {
    switch (next_write()) {
        case Fault::full:
            errno = ENOSPC;
            return -1;
        case Fault::error:
            errno = EIO;
            return -1;
        case Fault::torn:
            kill(getpid(), SIGKILL);
            return -1;
        default:
            return act();
    }
}

using WriteAt = ssize_t(int, const void*, size_t, off64_t);

ssize_t write_at(const char* name, int file, const void* bytes, size_t size, off64_t offset) {
    auto* const write = original<WriteAt>(name);
    const Fault fault = counts(file) ? next_write() : Fault::none;
    if (fault == Fault::torn) {
        write(file, bytes, size / 2, offset);
        kill(getpid(), SIGKILL);
    }
    if (fault != Fault::none) {
        errno = fault == Fault::full ? ENOSPC : EIO;
        return -1;
    }
    return write(file, bytes, size, offset);
}

[[gnu::destructor]] void tell_count() {
    const char* const file = text_of("CACHELEDGER_FAULT_COUNT");
    if (*file == '\0') {
        return;
    }
    if (std::FILE* const stream = std::fopen(file, "w")) {
        std::fprintf(stream, "%ld\n", writes.load());
        std::fclose(stream);
    }
}

}  // namespace

extern "C" {

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
    return write_at("pwrite64", file, bytes, size, offset);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    return write_at("pwrite", file, bytes, size, offset);
}

ssize_t write(int file, const void* bytes, size_t size) {
    auto* const write = original<ssize_t(int, const void*, size_t)>("write");
    return counts(file) ? guarded<ssize_t>([&] { return write(file, bytes, size); })
                        : write(file, bytes, size);
}

int ftruncate64(int file, off64_t size) noexcept {
    auto* const cut = original<int(int, off64_t)>("ftruncate64");
    return counts(file) ? guarded<int>([&] { return cut(file, size); }) : cut(file, size);
}

int fsync(int file) {
    return guarded<int>([&] { return original<int(int)>("fsync")(file); });
}

int fdatasync(int file) {
    return guarded<int>([&] { return original<int(int)>("fdatasync")(file); });
}

int rename(const char* from, const char* to) noexcept {
    return guarded<int>(
        [&] { return original<int(const char*, const char*)>("rename")(from, to); });
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
    return guarded<int>([&] {
        return original<int(int, const char*, int, const char*, unsigned)>("renameat2")(
            from_folder, from, to_folder, to, flags);
    });
}

int unlink(const char* file) noexcept {
    return guarded<int>([&] { return original<int(const char*)>("unlink")(file); });
}

int flock(int file, int operation) noexcept {
    if (std::string_view(text_of("CACHELEDGER_FAULT")) == "no-locks") {
        errno = ENOSYS;
        return -1;
    }
    return original<int(int, int)>("flock")(file, operation);
}
}
