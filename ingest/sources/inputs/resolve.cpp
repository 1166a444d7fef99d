#include "ingest/sources/inputs/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/http/http_cache.hpp"
#include "ingest/sources/mirrors/registry.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_manifest_bytes = 4U << 20U;

constexpr std::string_view manifest_of_layout_3 = "v3/manifests/index/index.manifest.json";
constexpr std::string_view name_of_index = "index.json";
constexpr std::string_view name_of_index_manifest = "index.manifest.json";

// What a folder holds where it is more than pages: newest first.
constexpr std::array<std::string_view, 7> known_files = {
    manifest_of_layout_3,
    "build_cache/index.json",    // layouts 1 and 2
    name_of_index,               // an OCI layout; or the folder of one of the others
    name_of_index_manifest,      // the folder of a view of layout 3
    ".spack-db/index.json",      // an install tree
    "spack.lock",                // an environment
    "cache_spack_io_index.json"  // of the public cache
};

// What it leads to.
Shape kind_of_shape(Shape shape) {
    return shape == Shape::index_manifest || shape == Shape::layout ? Shape::index : shape;
}

// Whether the URL can be only that of a file, by its looks.
bool looks_like_file(const Location& url) {
    const std::string_view name = url.name();
    return name.ends_with(".json") || name.ends_with(".lock") || name.ends_with(".gz") ||
           name.ends_with(".txt") || blob_name(url.text());
}

// The same of what the file is, once it is known that it is one.
Shape shape_of_file(const FoundFile& file, JsonOfSpecs specs = JsonOfSpecs::refused) {
    return at_json_file(file, [&] {
        return at_file(file.place(), [&] { return read_shape(*file.head_bytes(), specs); });
    });
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
    return {Shape::index, std::move(file)};
}

// What lies in a folder of this machine; a server does not list its files.
template <typename Find>
std::optional<SpecFiles> mirror_at(const Location& folder, const Find& find) {
    return folder.is_url() ? std::nullopt : find(folder.text().empty() ? "." : folder.text());
}

// What of the known files a folder holds. Where it has pages, a file of another kind that happens
// to have such a name is nothing of ours. `view`: stands for the main index, of a mirror without.
std::vector<std::pair<Shape, FoundFile>> known_in(const Location& folder,
                                                  const std::optional<std::string>& view) {
    std::vector<std::pair<Shape, FoundFile>> all;
    std::optional<InputError> problem;
    for (const std::string_view name : known_files) {
        const bool is_view = view && name == manifest_of_layout_3;
        try {
            if (const auto file =
                    FoundFile::find(folder.below(is_view ? path_of_view(*view) : name))) {
                all.emplace_back(is_view ? Shape::index_manifest : shape_of_file(*file), *file);
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

}  // namespace

// What was found of a URL that may be a file or a folder.
struct Resolver::UrlSearch {
    Refusals refusals;
    std::optional<FoundFile> page = std::nullopt;      // at the URL itself: a list, or a listing
    std::optional<InputError> problem = std::nullopt;  // with what is there
};

std::string known_places() {
    return fmt::format("{}, *.spec.json", fmt::join(known_files, ", "));
}

Resolver::Resolver(std::shared_ptr<HttpCache> http, Say say, JsonOfSpecs specs)
    : http_(std::move(http)), say_(std::move(say)), specs_(specs) {}

FoundFile Resolver::open(const Location& location) const {
    if (location.is_standard_input()) {
        return FoundFile::standard_input();
    }
    if (location.is_url()) {
        return {location, http_->fetch({location.text(), location.allowed()})};
    }
    if (auto file = FoundFile::find(location)) {
        return *std::move(file);
    }
    throw InputError(location.place() + ": no such file or folder");
}

FoundFile Resolver::open_blob(const Location& location, const Blob& blob, std::string slot) const {
    if (location.is_url()) {  // it is checked when it comes
        try {
            return {location, http_->fetch({location.text(), location.allowed(), blob.sha256,
                                            blob.size, std::move(slot)})};
        } catch (const HttpError& error) {
            if (!error.is_missing()) {
                throw;
            }
            throw InputError(
                fmt::format("{}; the manifest of its mirror names this file", error.what()));
        }
    }
    auto file = FoundFile::find(location);
    if (!file) {
        throw InputError(
            fmt::format("{}: is missing; the index of its mirror is there", location.place()));
    }
    file->expect(blob);
    return *std::move(file);
}

Resolved Resolver::resolve(const Location& location) const {
    if (location.is_url()) {
        return resolve_url(location);
    }
    if (location.is_folder()) {
        return resolve_folder(location);
    }
    return resolve_file(open(location));
}

Resolved Resolver::resolve_file(FoundFile file) const {
    const Shape shape = shape_of_file(file, specs_);
    if (shape == Shape::page) {
        file.refuse_other_text();
    }
    if (shape == Shape::index_manifest) {
        return resolve_index_manifest(file);
    }
    if (shape == Shape::layout) {
        return resolve_layout(file);
    }
    Resolved resolved{shape, std::move(file)};
    const Location& location = resolved.file->location();
    if (shape == Shape::index && location.name() == name_of_index) {  // layouts 1 and 2
        resolved.mirror = mirror_at(location.folder(), SpecFiles::beside_index);
        resolved.is_main_index = true;
    }
    return resolved;
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
    const bool is_main = file.location().folder().text().ends_with("manifests/index/");
    const std::string slot = is_main ? "" : file.location().text() + "#index";
    Resolved resolved = resolve_index(open_blob(blob, manifest.index, slot));
    resolved.mirror = mirror_at(*root, SpecFiles::of_layout_3);
    resolved.is_main_index = is_main;
    if (!manifest.others.empty()) {
        say_(fmt::format("{}: lists several indexes; read that of database version {}, not of {}",
                         file.place(), manifest.version, fmt::join(manifest.others, ", ")));
    }
    return resolved;
}

Resolved Resolver::resolve_one(const Location& location) const {
    Resolved resolved = resolve(location);
    if (resolved.file || resolved.views.empty()) {
        return resolved;
    }
    if (resolved.views.size() > 1) {
        throw InputError(fmt::format("{}: has no main index, and several views: name one of {}",
                                     location.below(folder_of_views).place(),
                                     fmt::join(resolved.views, ", ")));
    }
    return resolve_view(location, resolved.views[0]);
}

Resolved Resolver::resolve_mirror(const Location& mirror) const {
    if (mirror.is_registry()) {
        throw InputError(mirror.place() + ": a cache in a registry has no views");
    }
    UrlSearch search;
    if (auto file = ask_below(mirror, search, std::array{manifest_of_layout_3})) {
        return resolve_file(*std::move(file));
    }
    say_(fmt::format("{}: has no main index; {}", mirror.place(), search.refusals.text()));
    return {Shape::index};
}

Resolved Resolver::resolve_view(const Location& mirror, const std::string& view) const {
    const std::string path = path_of_view(view);
    UrlSearch search;
    const auto file = mirror.is_url()
                          ? ask_below(mirror, search, std::array<std::string_view, 1>{path})
                          : FoundFile::find(mirror.below(path));
    if (!file) {
        throw InputError(fmt::format("{}: has no view '{}'{}", mirror.place(), view,
                                     mirror.is_url() ? "; " + search.refusals.text() : ""));
    }
    return at_json_file(*file, [&] { return resolve_index_manifest(*file); });
}

Resolved Resolver::resolve_layout(const FoundFile& file) const {
    const Location blobs = file.location().folder().below("blobs/sha256");
    const Blob manifest = read_small(file, read_layout);
    const Blob index =
        read_small(open_blob(blobs.below(manifest.sha256), manifest), read_layout_manifest);
    return resolve_index(open_blob(blobs.below(index.sha256), index));
}

// A mirror whose binaries no index lists.
std::optional<Resolved> Resolver::resolve_specs(const Location& folder) const {
    auto specs = SpecFiles::find(folder.text());
    if (!specs) {
        return std::nullopt;
    }
    if (const auto page = find_page(folder.text())) {
        throw InputError(fmt::format(
            "{}: name the folder that is meant, it holds the spec files of a mirror and pages ({})",
            folder.place(), *page));
    }
    say_(fmt::format("{}: has no index; read its spec files", folder.place()));
    Resolved resolved;
    resolved.shape = Shape::index;
    resolved.specs = std::move(specs);
    return resolved;
}

Resolved Resolver::resolve_folder(const Location& folder) const {
    std::vector<std::string> views =
        at_file(folder.below(folder_of_views).place(), [&] { return find_views(folder.text()); });
    const bool lacks_main = !views.empty() && !FoundFile::find(folder.below(manifest_of_layout_3));
    const auto all = known_in(folder, lacks_main ? std::optional(views[0]) : std::nullopt);
    if (all.empty()) {
        return resolve_specs(folder).value_or(Resolved{});
    }
    std::vector<std::string> places;
    places.reserve(all.size());
    for (const auto& [shape, file] : all) {
        places.push_back(file.place());
    }
    const auto is_other = [&](const auto& one) {
        return kind_of_shape(one.first) != kind_of_shape(all[0].first);
    };
    if (std::ranges::any_of(all, is_other)) {
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
    Resolved resolved = lacks_main ? Resolved{Shape::index} : resolve_file(all[0].second);
    resolved.views = std::move(views);
    return resolved;
}

// A cache in an OCI registry.
Resolved Resolver::resolve_registry(const Location& url) const {
    const auto registry = std::make_shared<const Registry>(http_, url.text(), url.allowed());
    if (const auto index = registry->index()) {
        return resolve_index({url, *index});
    }
    say_(fmt::format("{}: has no index; read the specs of its tags", url.place()));
    Resolved resolved{Shape::index};
    resolved.specs = SpecFiles::of_registry(
        url.place(), [registry](const TakeSpecFile& take) { return registry->read(take); });
    return resolved;
}

Resolved Resolver::resolve_url(const Location& url) const {
    if (url.is_registry()) {
        return resolve_registry(url);
    }
    return looks_like_file(url) ? resolve_file(open(url)) : search_url(url);
}

// The file at the URL, if it is one that is known. A folder may answer anything for itself: that
// says nothing of what is below it.
std::optional<FoundFile> Resolver::ask_itself(const Location& url, UrlSearch& search) const {
    try {
        FoundFile file = open(url);
        if (shape_of_file(file, specs_) != Shape::page) {
            return file;
        }
        search.page = std::move(file);
    } catch (const HttpError& error) {
        if (error.status() == 0) {
            throw;
        }
        search.refusals.add("the URL itself", error.status());
    } catch (const InputError& error) {
        search.problem = error;
    }
    return std::nullopt;
}

// The first of these files below it that is there.
std::optional<FoundFile> Resolver::ask_below(const Location& url, UrlSearch& search,
                                             std::span<const std::string_view> names) const {
    for (const std::string_view name : names) {
        try {
            return open(url.below(name));
        } catch (const HttpError& error) {
            if (!error.is_missing()) {
                throw;
            }
            search.refusals.add(name, error.status());
        }
    }
    return std::nullopt;
}

// The URL of a file, or of a folder that holds one. The file comes first: it would be asked for
// behind seven others, while the root of a mirror costs one request that is answered at once. What
// ends with '/' is a folder more likely.
Resolved Resolver::search_url(const Location& url) const {
    UrlSearch search;
    const bool is_folder = url.name().empty();
    auto file = is_folder ? ask_below(url, search, known_files) : ask_itself(url, search);
    if (!file) {
        file = is_folder ? ask_itself(url, search) : ask_below(url, search, known_files);
    }
    if (file) {
        return resolve_file(*std::move(file));
    }
    if (search.problem) {
        throw InputError(*search.problem);
    }
    if (search.page) {
        Resolved page{Shape::page, std::move(search.page)};
        page.said_below = search.refusals.text();
        return page;
    }
    throw InputError(fmt::format("{}: found no index, neither at this URL nor below it; {}",
                                 url.place(), search.refusals.text()));
}

}  // namespace cacheledger
