#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/sources/addresses/url.hpp"

namespace cacheledger {

/// Where something is: a path, an http(s):// URL, a cache in an OCI registry (oci://, oci+http://),
/// or standard input ("-").
class Location {
  public:
    /// What the user wrote. A file:// URL becomes a path. Throws InputError for an URL of another
    /// kind.
    explicit Location(std::string_view text);

    /// What somebody else wrote, who may not name every address.
    Location(std::string_view text, AddressKinds allowed) : Location(text) { allowed_ = allowed; }

    const std::string& text() const { return text_; }
    bool is_url() const { return is_url_; }
    bool is_registry() const { return is_oci_url(text_); }
    bool is_folder() const;  ///< of this machine
    bool is_standard_input() const { return text_ == "-"; }
    AddressKinds allowed() const { return allowed_; }

    /// How messages call it, and what is stored: without credentials and query.
    std::string place() const { return is_url_ ? shown_url(text_) : text_; }

    /// A file in this folder, which may be some folders down: "v3/layout.json".
    Location below(std::string_view name) const;

    /// The folder that it is in.
    Location folder() const;

    /// The last part of its path.
    std::string_view name() const;

    /// Whether the name is that of JSON: index.json, spack.lock.
    bool has_name_of_json() const { return name().ends_with(".json") || name().ends_with(".lock"); }

    /// The root of the mirror, if this is an index manifest of layout 3:
    /// ROOT/v3/manifests/index/[VIEW/]index.manifest.json.
    std::optional<Location> mirror_root() const;

  private:
    std::string_view path() const { return is_url_ ? path_of(text_) : std::string_view(text_); }
    Location with_path(std::string_view path) const;

    std::string text_;
    bool is_url_ = false;
    AddressKinds allowed_ = any_address;
};

/// What an argument of the command line says: [STACK=]PATH.
struct Argument {
    std::optional<std::string> label;
    std::string path;
};

/// `STACK=` counts before any '/', ':' or '?' only. Throws UsageError for an empty stack or path.
Argument read_argument(std::string_view argument);

/// The same as it is shown and stored: URLs without credentials and query.
std::string shown_argument(std::string_view argument);

/// Whether the path goes up by "..".
bool leaves_its_folder(std::string_view path);

// The named views of a mirror of layout 3: indexes that list some of its builds. The main index
// lists all.

/// Where views, and the manifest of the main index, are in a mirror.
inline constexpr std::string_view folder_of_views = "v3/manifests/index";

/// The manifest of a view, seen from its mirror.
std::string path_of_view(std::string_view name);

/// What is wrong with the name of a view: what is expected, for messages. nullopt if it can be that
/// of a stack, and leads to no other folder.
std::optional<std::string> view_name_problem(std::string_view name);

/// The names of the views of a mirror on this machine, sorted; they may have problems. Throws
/// Problem if their folder can't be searched.
std::vector<std::string> find_views(const std::string& mirror);

/// Which addresses stand for which: manifests name files of buckets (`s3://`), which are on the web
/// as well.
class UrlMap {
  public:
    /// Knows where the public cache is.
    UrlMap();

    /// Adds "FROM=TO": what begins with the URL FROM is at TO, an URL or a path. Throws UsageError.
    void add(std::string_view mapping);

    struct Mapped {
        std::string text;
        bool is_users = false;  ///< the user said so
    };

    /// Where it is: the longest FROM counts, of two of a length the one added last. An address
    /// without one stays as it is.
    Mapped map(std::string_view address) const;

  private:
    struct Mapping {
        std::string from, to;
        bool is_users;
    };
    std::vector<Mapping> mappings_;
};

}  // namespace cacheledger
