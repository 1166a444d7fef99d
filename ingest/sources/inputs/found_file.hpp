#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/http/http_cache.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/kinds/shape.hpp"

namespace cacheledger {

/// Bytes that were opened. They hold what they need.
using OpenBytes = std::unique_ptr<Bytes>;

/// A file that is there, wherever it was. Can be copied; copies are of the same file.
class FoundFile {
  public:
    /// A regular file of this machine. It is opened when it is read: there may be more files than
    /// can be open at once. Throws InputError where it can't be.
    explicit FoundFile(Location location);

    /// A file that was fetched. It is open, because another run may remove it from the cache.
    FoundFile(Location location, const Fetched& fetched);

    /// A file of this machine, if it is there.
    static std::optional<FoundFile> find(const Location& location);

    /// Standard input. One object reads it; copies of that share it.
    static FoundFile standard_input();

    const Location& location() const { return location_; }
    std::string place() const { return location_.place(); }

    /// The kind of address that it came from; of a file of this machine, any_address.
    AddressKinds reached() const { return reached_; }

    /// For a look at its beginning. Throws Problem.
    OpenBytes head_bytes() const;

    /// The first bytes, as they are stored: `most`, or all of a shorter file. Throws InputError.
    std::string head(std::size_t most) const {
        return at_file(place(), [&] { return read_text(*head_bytes(), most); });
    }

    /// All bytes, as they are stored: plain or gzip. Throws InputError where they can't be read.
    OpenBytes bytes() const { return std::make_unique<FileBytes>(whole_file()); }

    /// The number of these bytes. Throws likewise.
    std::uint64_t size() const {
        return at_file(place(), [&] { return whole_file()->size(); });
    }

    /// The whole text, decompressed, of a small file. Throws InputError where it is larger than
    /// `most` bytes.
    std::string text(std::size_t most) const;

    /// Throws InputError, with what it is, where the file is no page by its content or its name: a
    /// bundle of git, or one that has the name of JSON.
    void refuse_other_text() const;

    /// Throws InputError where what is no JSON is no page, either: gzip data, nothing, or a page of
    /// a server. `said_below`: as in Resolved.
    void refuse_no_page(const std::string& said_below) const;

    /// Throws InputError unless it has this size and digest.
    void expect(const Blob& blob) const;

  private:
    struct Pipe;
    explicit FoundFile(std::shared_ptr<Pipe> pipe);
    std::shared_ptr<const OpenFile> open_file() const {
        return file_ ? file_ : std::make_shared<const OpenFile>(location_.text());
    }
    std::shared_ptr<const OpenFile> whole_file() const;

    Location location_;
    std::shared_ptr<const OpenFile> file_;
    std::shared_ptr<Pipe> pipe_;
    AddressKinds reached_ = any_address;
};

/// Where a manifest says that an index is. A manifest that was fetched may name files of the web
/// only, and of the kind of network that it came from; one of this machine is the user's own.
/// Throws InputError.
Location location_in_manifest(const UrlMap& map, const FoundFile& manifest, const std::string& url);

/// Calls `read`, which reads the file as JSON and throws InputError if it can't. If git left the
/// mark of a conflict in the file, the error names its line instead.
template <typename Read>
auto at_json_file(const FoundFile& file, Read read) {
    try {
        return read();
    } catch (const InputError&) {
        const auto line =
            file.location().is_standard_input()
                ? std::nullopt
                : at_file(file.place(), [&] { return line_of_conflict(*file.bytes()); });
        if (line) {
            throw InputError(fmt::format("{}:{}: an unresolved merge conflict; resolve it first",
                                         file.place(), *line));
        }
        throw;
    }
}

}  // namespace cacheledger
