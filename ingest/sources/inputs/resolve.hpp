#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sources/http/http_cache.hpp"
#include "ingest/sources/inputs/found_file.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "ingest/sources/mirrors/spec_files.hpp"

namespace cacheledger {

/// A line for the user: which of several indexes was read, ...
using Say = std::function<void(const std::string&)>;

/// What a location turned out to be. Of index manifests and layouts, it is the index that they
/// name.
struct Resolved {
    Shape shape = Shape::page;
    /// Nothing where it is a folder of pages, or a mirror without an index.
    std::optional<FoundFile> file = std::nullopt;
    /// The files of the mirror whose index it is, if that is on this machine and has any.
    std::optional<SpecFiles> mirror = std::nullopt;
    /// Whether it is the index of all that this mirror has, and no view.
    bool is_main_index = false;
    /// Of a mirror without an index, which has the shape of one.
    std::optional<SpecFiles> specs = std::nullopt;
    /// The names of the views, where it is the folder of a mirror. One without a main index has
    /// the shape of an index, and no file.
    std::vector<std::string> views = {};
    /// Of a URL that is no input itself: what the server said of the places below it.
    std::string said_below = {};
};

/// The places in a folder where inputs are looked for that are no pages, for messages.
std::string known_places();

/// Finds out what locations are, by what is there and how it begins. What it gives may outlive it.
class Resolver {
  public:
    Resolver(std::shared_ptr<HttpCache> http, Say say, JsonOfSpecs specs = JsonOfSpecs::refused);

    /// Throws InputError in one line that names the place.
    Resolved resolve(const Location& location) const;

    /// The same, for who reads one file: of a mirror without a main index its only view.
    Resolved resolve_one(const Location& location) const;

    /// The main index of a mirror of layout 3; no file where the server has none.
    Resolved resolve_mirror(const Location& mirror) const;

    /// The index of a view, whose name must be a good one. Throws likewise, also if there is none.
    Resolved resolve_view(const Location& mirror, const std::string& view) const;

    /// Fetches or opens a file. Throws InputError.
    FoundFile open(const Location& location) const;

  private:
    FoundFile open_blob(const Location& location, const Blob& blob, std::string slot = {}) const;
    Resolved resolve_file(FoundFile file) const;
    Resolved resolve_index_manifest(const FoundFile& file) const;
    Resolved resolve_layout(const FoundFile& file) const;
    std::optional<Resolved> resolve_specs(const Location& folder) const;
    Resolved resolve_folder(const Location& folder) const;
    Resolved resolve_registry(const Location& url) const;
    Resolved resolve_url(const Location& url) const;
    struct UrlSearch;
    std::optional<FoundFile> ask_itself(const Location& url, UrlSearch& search) const;
    std::optional<FoundFile> ask_below(const Location& url, UrlSearch& search,
                                       std::span<const std::string_view> names) const;
    Resolved search_url(const Location& url) const;

    std::shared_ptr<HttpCache> http_;
    Say say_;
    JsonOfSpecs specs_;
};

}  // namespace cacheledger
