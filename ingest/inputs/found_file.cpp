#include "ingest/inputs/found_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "ingest/basics/at_file.hpp"
#include "ingest/basics/problem.hpp"
#include "ingest/basics/sha256.hpp"
#include "ingest/bytes/plain_bytes.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

class BytesOfOpenFile : public Bytes {
  public:
    explicit BytesOfOpenFile(std::shared_ptr<const OpenFile> file) : file_(std::move(file)) {}

    std::size_t read(char* into, std::size_t size) override {
        const std::size_t count = file_->read(into, size, at_);
        at_ += count;
        return count;
    }

  private:
    std::shared_ptr<const OpenFile> file_;
    std::uint64_t at_ = 0;
};

}  // namespace

// Standard input, with what was read of it for a look.
struct FoundFile::Pipe {
    std::string head;
    bool is_taken = false;

    static std::size_t read_more(char* into, std::size_t size) {
        const ssize_t count = ::read(STDIN_FILENO, into, size);
        if (count < 0 && errno == EINTR) {
            throw Interrupted("interrupted");
        }
        if (count < 0) {
            refuse_unreadable_file(errno);
        }
        return static_cast<std::size_t>(count);
    }

    // Gives the head, and then what follows it.
    class Reader : public Bytes {
      public:
        Reader(std::shared_ptr<Pipe> pipe, bool is_look)
            : pipe_(std::move(pipe)), is_look_(is_look) {}

        std::size_t read(char* into, std::size_t size) override {
            if (at_ < pipe_->head.size()) {
                const std::size_t count = pipe_->head.copy(into, size, at_);
                at_ += count;
                return count;
            }
            const std::size_t count = read_more(into, size);
            if (is_look_) {
                pipe_->head.append(into, count);
                at_ += count;
            }
            return count;
        }

      private:
        std::shared_ptr<Pipe> pipe_;
        bool is_look_;
        std::size_t at_ = 0;
    };
};

FoundFile::FoundFile(Location location) : location_(std::move(location)) {
    at_file(place(), [&] { return open_file()->size(); });  // refuses what is no regular file
}

FoundFile::FoundFile(Location location, const Fetched& fetched)
    : location_(std::move(location)), file_(fetched.file), reached_(only(fetched.connected)) {}

FoundFile::FoundFile(std::shared_ptr<Pipe> pipe) : location_("-"), pipe_(std::move(pipe)) {}

FoundFile FoundFile::standard_input() {
    return FoundFile(std::make_shared<Pipe>());
}

std::shared_ptr<const OpenFile> FoundFile::open_file() const {
    return file_ ? file_ : std::make_shared<const OpenFile>(location_.text());
}

OpenBytes FoundFile::head_bytes() const {
    if (pipe_) {
        return std::make_unique<Pipe::Reader>(pipe_, true);
    }
    return std::make_unique<BytesOfOpenFile>(open_file());
}

OpenBytes FoundFile::bytes() const {
    if (pipe_ && std::exchange(pipe_->is_taken, true)) {
        throw InputError("-: standard input can be read only once");
    }
    if (pipe_) {
        return std::make_unique<Pipe::Reader>(pipe_, false);
    }
    return at_file(place(), [&] { return std::make_unique<BytesOfOpenFile>(open_file()); });
}

std::string FoundFile::text(std::size_t most) const {
    const OpenBytes all = bytes();
    PlainBytes plain(*all, most);
    std::string text;
    std::vector<char> buffer(1U << 16U);
    at_file(place(), [&] {
        while (const std::size_t count = plain.read(buffer.data(), buffer.size())) {
            text.append(buffer.data(), count);
        }
    });
    return text;
}

void FoundFile::expect(const Blob& blob) const {
    Sha256 digest;
    std::uint64_t size = 0;
    std::vector<char> buffer(1U << 18U);
    at_file(place(), [&] {
        const OpenBytes all = bytes();
        while (const std::size_t count = all->read(buffer.data(), buffer.size())) {
            digest.add(buffer.data(), count);
            size += count;
        }
    });
    if (size != blob.size) {
        throw InputError(fmt::format("{}: expected {} bytes, found {}", place(), blob.size, size));
    }
    if (const std::string sha256 = digest.hex(); sha256 != blob.sha256) {
        throw InputError(fmt::format("{}: expected content with the sha256 {}, found {}", place(),
                                     blob.sha256, sha256));
    }
}

}  // namespace cacheledger
