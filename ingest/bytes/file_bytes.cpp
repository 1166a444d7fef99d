#include "ingest/bytes/file_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ingest/basics/problem.hpp"

namespace cacheledger {

namespace {

[[noreturn]] void refuse_file(int error) {
    if (error == ENXIO) {  // a socket
        throw Problem("expected a regular file");
    }
    throw Problem(fmt::format("can't be read: {}", std::strerror(error)));
}

}  // namespace

FileBytes::FileBytes(const std::string& file) : descriptor_(STDIN_FILENO), owned_(file != "-") {
    if (!owned_) {
        return;
    }
    // Opening a FIFO would wait for who writes to it.
    descriptor_ = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0) {
        refuse_file(errno);
    }
    struct stat status {};
    const bool is_known = fstat(descriptor_, &status) == 0;
    if (!is_known || !S_ISREG(status.st_mode)) {
        const int error = is_known ? ENXIO : errno;
        close(descriptor_);
        refuse_file(error);
    }
}

FileBytes::~FileBytes() {
    if (owned_) {
        close(descriptor_);
    }
}

std::size_t FileBytes::read(char* into, std::size_t size) {
    while (true) {
        const ssize_t count = ::read(descriptor_, into, size);
        if (count >= 0) {
            return static_cast<std::size_t>(count);
        }
        if (errno != EINTR) {
            refuse_file(errno);
        }
    }
}

}  // namespace cacheledger
