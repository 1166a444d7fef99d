#include "ingest/inputs/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "ingest/addresses/url.hpp"
#include "ingest/basics/at_file.hpp"
#include "ingest/basics/problem.hpp"
#include "ingest/files/folder_search.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_manifest_bytes = 4U << 20U;

constexpr std::string_view manifest_of_layout_3 = "v3/manifests/index/index.manifest.json";
constexpr std::string_view views_of_layout_3 = "v3/manifests/index";
constexpr std::string_view name_of_index_manifest = "index.manifest.json";

// What a folder holds where it is more than pages: newest first.
constexpr std::array<std::string_view, 7> known_files = {
    manifest_of_layout_3,
    "build_cache/index.json",    // layouts 1 and 2
    "index.json",                // an OCI layout; or the folder of one of the others
    name_of_index_manifest,      // the folder of a view of layout 3
    ".spack-db/index.json",      // an install tree
    "spack.lock",                // an environment
    "cache_spack_io_index.json"  // of the public cache
};

bool is_folder_at(const Location& location) {
    std::error_code error;
    return !location.is_url() && fs::is_directory(location.text(), error);
}

// What it leads to.
Shape kind_of_shape(Shape shape) {
    return shape == Shape::index_manifest || shape == Shape::layout ? Shape::index : shape;
}

// Whether the URL is that of a file, by its looks: which is asked for first. It is found out either
// way.
bool looks_like_file(const Location& url) {
    const std::string_view name = url.name();
    return name.ends_with(".json") || name.ends_with(".lock") || name.ends_with(".gz") ||
           blob_name(url.text());
}

// The same of what the file is, once it is known that it is one.
Shape shape_of_file(const FoundFile& file) {
    return at_file(file.place(), [&] { return read_shape(*file.head_bytes()); });
}

// Calls `read` with the text of a small file.
template <typename Read>
auto read_small(const FoundFile& file, const Read& read) {
    const std::string text = file.text(most_manifest_bytes);
    return at_file(file.place(), [&] { return read(text); });
}

// A file that can be nothing but an index.
Resolved resolve_index(FoundFile file) {
    if (const Shape shape = shape_of_file(file); shape != Shape::index) {
        throw InputError(fmt::format("{}: expected a build-cache index, found {}", file.place(),
                                     name_of(shape)));
    }
    return {Shape::index, std::move(file), std::nullopt};
}

// The manifest of the only view of a mirror without a main index.
Location only_view(const Location& folder) {
    std::vector<std::string> views;
    std::error_code error;
    const Location all = folder.below(views_of_layout_3);
    for (const auto& entry : fs::directory_iterator(all.text(), error)) {
        if (fs::exists(entry.path() / name_of_index_manifest, error)) {
            views.push_back(entry.path().filename().string());
        }
    }
    std::sort(views.begin(), views.end());
    if (views.size() > 1) {
        throw InputError(fmt::format("{}: has no main index, and several views: name one of {}",
                                     all.place(), fmt::join(views, ", ")));
    }
    return views.empty() ? folder.below(manifest_of_layout_3)
                         : all.below(views[0]).below(name_of_index_manifest);
}

}  // namespace

Resolver::Resolver(std::shared_ptr<HttpCache> http, Say say)
    : http_(std::move(http)), say_(std::move(say)) {}

std::optional<FoundFile> Resolver::find(const Location& location,
                                        const std::optional<Blob>& blob) const {
    if (location.is_url()) {
        Wanted wanted{location.text(), location.allowed()};
        if (blob) {
            wanted.sha256 = blob->sha256;
            wanted.size = blob->size;
        }
        try {
            return FoundFile(location, http_->fetch(wanted));
        } catch (const HttpError& error) {
            if (error.is_missing()) {
                return std::nullopt;
            }
            throw;
        }
    }
    std::error_code error;
    if (!fs::exists(location.text(), error)) {
        return std::nullopt;
    }
    return FoundFile(location);
}

FoundFile Resolver::open(const Location& location) const {
    if (location.is_standard_input()) {
        return FoundFile::standard_input();
    }
    if (location.is_url()) {
        return {location, http_->fetch({location.text(), location.allowed()})};
    }
    if (auto file = find(location)) {
        return *std::move(file);
    }
    throw InputError(location.place() + ": no such file or folder");
}

FoundFile Resolver::open_blob(const Location& location, const Blob& blob) const {
    auto file = find(location, blob);
    if (!file) {
        throw InputError(
            fmt::format("{}: is missing; the index of its mirror is there", location.place()));
    }
    if (!location.is_url()) {  // else it was checked when it came
        file->expect(blob);
    }
    return *std::move(file);
}

Resolved Resolver::resolve(const Location& location) const {
    if (location.is_url()) {
        return resolve_url(location);
    }
    if (is_folder_at(location)) {
        return resolve_folder(location);
    }
    return resolve_file(open(location));
}

Resolved Resolver::resolve_file(FoundFile file) const {
    const Shape shape = shape_of_file(file);
    if (shape == Shape::index_manifest) {
        return resolve_index_manifest(file);
    }
    if (shape == Shape::layout) {
        return resolve_layout(file);
    }
    return {shape, std::move(file), std::nullopt};
}

Resolved Resolver::resolve_index_manifest(const FoundFile& file) const {
    const IndexManifest manifest = read_small(file, read_index_manifest);
    const auto root = file.location().mirror_root();
    if (!root) {
        throw InputError(
            fmt::format("{}: expected this index manifest in v3/manifests/index/ of its mirror, "
                        "whose blobs/ has the index",
                        file.place()));
    }
    const std::string& sha256 = manifest.index.sha256;
    const Location blob =
        root->below(fmt::format("blobs/sha256/{}/{}", sha256.substr(0, 2), sha256));
    Resolved resolved = resolve_index(open_blob(blob, manifest.index));
    resolved.mirror = *root;
    if (!manifest.others.empty()) {
        say_(fmt::format("{}: lists several indexes; read that of database version {}, not of {}",
                         file.place(), manifest.version, fmt::join(manifest.others, ", ")));
    }
    return resolved;
}

Resolved Resolver::resolve_layout(const FoundFile& file) const {
    const Location blobs = file.location().folder().below("blobs/sha256");
    const Blob manifest = read_small(file, read_layout);
    const Blob index =
        read_small(open_blob(blobs.below(manifest.sha256), manifest), read_layout_manifest);
    return resolve_index(open_blob(blobs.below(index.sha256), index));
}

// What of the known files a folder holds. Where it has pages, a file of another kind that happens
// to have such a name is nothing of ours.
std::vector<Resolver::Known> Resolver::known_in(const Location& folder) const {
    std::vector<Known> all;
    std::optional<InputError> problem;
    for (const std::string_view name : known_files) {
        Location place = folder.below(name);
        if (name == manifest_of_layout_3 && !find(place)) {
            place = only_view(folder);
        }
        try {
            if (const auto file = find(place)) {
                all.push_back({shape_of_file(*file), *file});
            }
        } catch (const InputError& error) {
            problem = error;
        }
    }
    if (problem && (!all.empty() || !find_page(folder.text()))) {
        throw InputError(*problem);
    }
    return all;
}

Resolved Resolver::resolve_folder(const Location& folder) const {
    const std::vector<Known> all = known_in(folder);
    if (all.empty()) {
        return {};
    }
    std::vector<std::string> places;
    places.reserve(all.size());
    for (const Known& one : all) {
        places.push_back(one.file.place());
    }
    const auto is_other = [&](const Known& one) {
        return kind_of_shape(one.shape) != kind_of_shape(all[0].shape);
    };
    if (std::any_of(all.begin(), all.end(), is_other)) {
        throw InputError(fmt::format("{}: name the one that is meant, it holds {}", folder.place(),
                                     fmt::join(places, ", ")));
    }
    if (const auto page = find_page(folder.text())) {
        throw InputError(fmt::format("{}: name the ones that are meant, it holds {} and pages ({})",
                                     folder.place(), places[0], *page));
    }
    if (all.size() > 1) {
        say_(fmt::format("{}: read {}, the newest of {}", folder.place(), places[0],
                         fmt::join(places, ", ")));
    }
    return resolve_file(all[0].file);
}

Resolved Resolver::resolve_url(const Location& url) const {
    if (looks_like_file(url)) {
        return resolve_file(open(url));
    }
    for (const std::string_view name : known_files) {
        if (const auto file = find(url.below(name))) {
            return resolve_file(*file);
        }
    }
    if (auto file = find(url)) {
        return resolve_file(*std::move(file));
    }
    throw InputError(fmt::format("{}: there is no index, neither at this URL nor below it at {}",
                                 url.place(), fmt::join(known_files, ", ")));
}

}  // namespace cacheledger
