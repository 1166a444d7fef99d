#include "ingest/sources/inputs/found_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/http/cache_folder.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

// A server that wants credentials for the manifest wants them for its files, too; no other server
// may have them.
std::string with_credentials_of(const Location& manifest, const std::string& url) {
    const bool is_same = manifest.is_url() && is_http_url(url) && credentials_of(url).empty() &&
                         is_same_origin(manifest.text(), url);
    return is_same ? with_credentials(url, credentials_of(manifest.text())) : url;
}

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

OpenBytes FoundFile::head_bytes() const {
    if (pipe_) {
        return std::make_unique<Pipe::Look>(pipe_);
    }
    return std::make_unique<FileBytes>(open_file());
}

std::shared_ptr<const OpenFile> FoundFile::whole_file() const {
    if (pipe_ && !pipe_->all) {
        at_file(place(), [&] { pipe_->read_all(); });
    }
    return pipe_ ? pipe_->all : at_file(place(), [&] { return open_file(); });
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

void FoundFile::refuse_no_page(const std::string& said_below) const {
    const std::string begin = head(2);
    if (is_gzip(begin)) {
        throw InputError(
            fmt::format("{}: expected {}; found gzip data of other text; pages are read only plain",
                        place(), inputs_of_json));
    }
    if (begin.empty() && (location_.is_url() || location_.has_name_of_json())) {
        throw InputError(
            fmt::format("{}: the file is empty; expected {}", place(), inputs_of_json));
    }
    if (location_.is_url()) {
        throw InputError(fmt::format(
            "{}: expected JSON: {}; pages are read from files and folders only{}{}", place(),
            inputs_of_json, said_below.empty() ? "" : "; below it, ", said_below));
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

Location location_in_manifest(const UrlMap& map, const FoundFile& manifest,
                              const std::string& url) {
    UrlMap::Mapped mapped = map.map(url);
    mapped.text = with_credentials_of(manifest.location(), mapped.text);
    const bool is_remote = manifest.location().is_url();
    if (mapped.is_users || (!is_remote && is_url(mapped.text))) {
        Location location(mapped.text);
        if (is_remote && !location.is_url() && leaves_its_folder(location.text())) {
            throw InputError(location.place() + ": leads out of its folder");
        }
        return location;
    }
    if (!is_url(mapped.text)) {
        if (is_remote && (mapped.text.starts_with('/') || leaves_its_folder(mapped.text))) {
            throw InputError(
                fmt::format("{}: expected a URL with http:// or https://", shown_url(mapped.text)));
        }
        return !is_remote && mapped.text.starts_with('/')
                   ? Location(mapped.text)
                   : manifest.location().folder().below(mapped.text);
    }
    if (scheme_of(mapped.text) == "file") {
        throw InputError(
            fmt::format("{}: expected a URL with http:// or https://, in a manifest "
                        "that was fetched",
                        shown_url(mapped.text)));
    }
    return {mapped.text, static_cast<AddressKinds>(only(AddressKind::open) | manifest.reached())};
}

}  // namespace cacheledger
