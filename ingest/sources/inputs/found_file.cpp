#include "ingest/sources/inputs/found_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/http/cache_folder.hpp"
#include "ingest/sources/kinds/other_text.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "schema/errors/error.hpp"

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

// Standard input, with what was read of it for a look. What is read is kept in a file, because a
// run that replaces a snapshot reads its inputs twice.
struct FoundFile::Pipe {
    std::string head;
    std::shared_ptr<const OpenFile> all;

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

    void read_all() {
        CacheFolder::NewFile file(std::filesystem::temp_directory_path());
        file.write(head.data(), head.size());
        std::vector<char> buffer(1U << 18U);
        while (const std::size_t count = read_more(buffer.data(), buffer.size())) {
            file.write(buffer.data(), count);
        }
        all = file.open();
    }

    // Gives the head, and more where that is read.
    class Look : public Bytes {
      public:
        explicit Look(std::shared_ptr<Pipe> pipe) : pipe_(std::move(pipe)) {}

        std::size_t read(char* into, std::size_t size) override {
            std::string& known = pipe_->head;
            if (at_ == known.size()) {
                known.resize(at_ + size);
                known.resize(at_ + read_more(known.data() + at_, size));
            }
            const std::size_t count = known.copy(into, size, at_);
            at_ += count;
            return count;
        }

      private:
        std::shared_ptr<Pipe> pipe_;
        std::size_t at_ = 0;
    };
};

FoundFile::FoundFile(Location location) : location_(std::move(location)) {
    at_file(place(), [&] { return open_file()->size(); });  // refuses what is no regular file
}

FoundFile::FoundFile(Location location, const Fetched& fetched)
    : location_(std::move(location)), file_(fetched.file), reached_(only(fetched.connected)) {}

FoundFile::FoundFile(std::shared_ptr<Pipe> pipe) : location_("-"), pipe_(std::move(pipe)) {}

std::optional<FoundFile> FoundFile::find(const Location& location) {
    std::error_code error;
    return std::filesystem::exists(location.text(), error) ? std::optional<FoundFile>(location)
                                                           : std::nullopt;
}

FoundFile FoundFile::standard_input() {
    return FoundFile(std::make_shared<Pipe>());
}

std::shared_ptr<const OpenFile> FoundFile::open_file() const {
    return file_ ? file_ : std::make_shared<const OpenFile>(location_.text());
}

OpenBytes FoundFile::head_bytes() const {
    if (pipe_) {
        return std::make_unique<Pipe::Look>(pipe_);
    }
    return std::make_unique<BytesOfOpenFile>(open_file());
}

std::string FoundFile::head(std::size_t most) const {
    return at_file(place(), [&] { return read_text(*head_bytes(), most); });
}

std::shared_ptr<const OpenFile> FoundFile::whole_file() const {
    if (pipe_ && !pipe_->all) {
        at_file(place(), [&] { pipe_->read_all(); });
    }
    return pipe_ ? pipe_->all : at_file(place(), [&] { return open_file(); });
}

OpenBytes FoundFile::bytes() const {
    return std::make_unique<BytesOfOpenFile>(whole_file());
}

std::uint64_t FoundFile::size() const {
    return at_file(place(), [&] { return whole_file()->size(); });
}

std::string FoundFile::text(std::size_t most) const {
    const OpenBytes all = bytes();
    PlainBytes plain(*all, most);
    return at_file(place(), [&] { return read_text(plain); });
}

void FoundFile::refuse_other_text() const {
    constexpr std::size_t most_bytes = 4096;
    const std::string begin = head(most_bytes);
    if (is_git_bundle(begin)) {
        throw InputError(hint_at_bundle(place()));
    }
    if (location_.has_name_of_json() && !begin.empty() && !is_gzip(begin)) {
        throw InputError(fmt::format("{}: expected {}; found {}", place(), inputs_of_json,
                                     what_instead_of_json(begin)));
    }
}

void FoundFile::expect(const Blob& blob) const {
    const OpenBytes all = bytes();
    DigestedBytes digested(*all);
    const std::string sha256 = at_file(place(), [&] { return digested.finish(); });
    if (digested.size() != blob.size) {
        throw InputError(
            fmt::format("{}: expected {} bytes, found {}", place(), blob.size, digested.size()));
    }
    if (sha256 != blob.sha256) {
        throw InputError(fmt::format("{}: expected content with the sha256 {}, found {}", place(),
                                     blob.sha256, sha256));
    }
}

}  // namespace cacheledger
