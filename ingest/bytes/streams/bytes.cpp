#include "ingest/bytes/streams/bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t buffer_size = std::size_t{256} << 10;
constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr int gzip_only = 16 + MAX_WBITS;

}  // namespace

std::string read_text(Bytes& bytes, std::size_t most) {
    std::string text;
    std::vector<char> buffer(1U << 16U);
    while (text.size() < most) {
        const std::size_t count =
            bytes.read(buffer.data(), std::min(buffer.size(), most - text.size()));
        if (count == 0) {
            break;
        }
        text.append(buffer.data(), count);
    }
    return text;
}

void refuse_too_many_bytes(std::uintmax_t bytes) {
    if (bytes > most_plain_bytes) {
        throw Problem(fmt::format("expected at most {} bytes, found {}", most_plain_bytes, bytes));
    }
}

bool is_gzip(std::string_view head) {
    return head.starts_with(gzip_magic);
}

struct PlainBytes::State {
    Bytes& from;
    std::uint64_t most;
    std::uint64_t given = 0;
    std::vector<char> buffer = std::vector<char>(buffer_size);
    std::size_t begin = 0, end = 0;  // what of the buffer is not used yet
    bool is_gzip = false, in_member = false;
    z_stream stream{};

    State(Bytes& bytes, std::uint64_t limit) : from(bytes), most(limit) {
        while (end < gzip_magic.size() && fill()) {
        }
        is_gzip = cacheledger::is_gzip({buffer.data(), end});
        if (is_gzip && inflateInit2(&stream, gzip_only) != Z_OK) {
            throw std::bad_alloc();
        }
        in_member = is_gzip;
    }
    ~State() {
        if (is_gzip) {
            inflateEnd(&stream);
        }
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    // Whether there was more.
    bool fill() {
        if (begin == end) {
            begin = end = 0;
        }
        const std::size_t count = from.read(buffer.data() + end, buffer.size() - end);
        end += count;
        return count > 0;
    }

    std::size_t copy(char* into, std::size_t size) {
        if (begin == end) {
            return from.read(into, size);
        }
        const std::size_t count = std::min(size, end - begin);
        std::copy_n(buffer.data() + begin, count, into);
        begin += count;
        return count;
    }

    // A file may hold several members, one behind the other, and zero bytes behind the last, up to
    // the end of a block.
    bool start_member() {
        bool is_padded = false;
        while ((begin < end || fill()) && buffer[begin] == '\0') {
            is_padded = true;
            ++begin;
        }
        if (begin == end) {
            return false;
        }
        if (is_padded) {
            throw Problem("expected the end of the file behind zero bytes behind gzip data");
        }
        if (inflateReset(&stream) != Z_OK) {
            throw std::bad_alloc();
        }
        in_member = true;
        return true;
    }

    std::size_t decompress(char* into, std::size_t size) {
        stream.next_out = reinterpret_cast<Bytef*>(into);
        stream.avail_out = static_cast<uInt>(std::min(size, buffer_size));
        const uInt wanted = stream.avail_out;
        while (stream.avail_out == wanted && (in_member || start_member())) {
            if (begin == end && !fill()) {
                throw Problem("is cut off: expected more gzip data");
            }
            stream.next_in = reinterpret_cast<Bytef*>(buffer.data() + begin);
            stream.avail_in = static_cast<uInt>(end - begin);
            const int status = inflate(&stream, Z_NO_FLUSH);
            begin = end - stream.avail_in;
            if (status == Z_MEM_ERROR) {
                throw std::bad_alloc();
            }
            if (status != Z_OK && status != Z_STREAM_END) {
                throw Problem(fmt::format("expected gzip data, found broken ones ({})",
                                          stream.msg != nullptr ? stream.msg : "no gzip"));
            }
            in_member = status != Z_STREAM_END;
        }
        return wanted - stream.avail_out;
    }
};

PlainBytes::PlainBytes(Bytes& from, std::uint64_t most)
    : state_(std::make_unique<State>(from, most)) {}
PlainBytes::~PlainBytes() = default;

bool PlainBytes::are_compressed() const {
    return state_->is_gzip;
}

std::size_t PlainBytes::read(char* into, std::size_t size) {
    const std::size_t count =
        state_->is_gzip ? state_->decompress(into, size) : state_->copy(into, size);
    state_->given += count;
    if (state_->given > state_->most) {
        throw Problem(fmt::format("expected at most {} bytes{}, found more", state_->most,
                                  state_->is_gzip ? " when decompressed" : ""));
    }
    return count;
}

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

}  // namespace cacheledger
