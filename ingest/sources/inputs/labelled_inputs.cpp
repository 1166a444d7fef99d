#include "ingest/sources/inputs/labelled_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/mirrors/index_views.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_refs_bytes = 64U << 20U;
constexpr std::size_t most_refs_named = 10;

// A server that wants credentials for the manifest wants them for its files, too; no other server
// may have them.
std::string with_credentials_of(const Location& manifest, const std::string& url) {
    const bool is_same = manifest.is_url() && is_http_url(url) && credentials_of(url).empty() &&
                         is_same_origin(manifest.text(), url);
    return is_same ? with_credentials(url, credentials_of(manifest.text())) : url;
}

// Where a manifest says that an index is. A manifest that was fetched may name files of the web
// only, and of the kind of network that it came from; one of this machine is the user's own.
Location location_of(const UrlMap& map, const FoundFile& manifest, const std::string& url) {
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

// Calls `find`. What it throws is of this entry of the manifest.
template <typename Find>
Location at_entry(const FoundFile& manifest, const std::string& ref, const std::string& label,
                  const Find& find) {
    try {
        return find();
    } catch (const InputError& error) {
        throw InputError(
            fmt::format("{}: the URL of {} in {}: {}", manifest.place(), label, ref, error.what()));
    }
}

// An index that is found out when it is opened. `place`: as in Input.
Input later_input(const SharedContext& context, std::string label, std::string place,
                  std::function<FoundFile()> find) {
    // Not the file itself, which would stay open.
    const auto fetched = std::make_shared<std::string>();
    Input input{std::move(label), std::move(place), {}, [] {}};
    input.open = [find = std::move(find), fetched] {
        FoundFile file = find();
        *fetched = file.location().is_url() ? file.location().text() : "";
        return file;
    };
    input.discard = [context, fetched] {
        if (!fetched->empty()) {
            context->http->discard(*fetched);
        }
    };
    return input;
}

Input labelled_input(const SharedContext& context, const FoundFile& manifest,
                     const std::string& ref, const LabelledUrl& index) {
    const auto find = [context, manifest, ref, label = index.label, url = index.url] {
        const Location location = at_entry(
            manifest, ref, label, [&] { return location_of(context->map, manifest, url); });
        Resolved resolved = context->resolver.resolve_one(location);
        if (resolved.shape != Shape::index || resolved.specs) {
            throw InputError(
                fmt::format("{}: expected a build-cache index, found {}",
                            resolved.file ? resolved.file->place() : shown_url(url),
                            resolved.file ? name_of(resolved.shape) : "a folder without one"));
        }
        return *std::move(resolved.file);
    };
    return later_input(context, index.label, shown_url(context->map.map(index.url).text), find);
}

}  // namespace

std::vector<RefInputs> inputs_of_refs(const SharedContext& context, const FoundFile& manifest,
                                      const std::optional<std::string>& wanted, const Say& say) {
    const std::vector<RefUrls> refs =
        at_file(manifest.place(), [&] { return read_refs(manifest.text(most_refs_bytes)); });
    std::vector<RefInputs> result;
    std::vector<std::string> names;
    for (const RefUrls& ref : refs) {
        names.push_back(ref.ref);
        if (wanted && fnmatch(wanted->c_str(), ref.ref.c_str(), FNM_NOESCAPE) != 0) {
            continue;
        }
        if (ref.indexes.empty()) {
            say(fmt::format("{}: the ref {} lists no index", manifest.place(), ref.ref));
            continue;
        }
        RefInputs& inputs = result.emplace_back(RefInputs{ref.ref, {}});
        for (const LabelledUrl& index : ref.indexes) {
            inputs.inputs.push_back(labelled_input(context, manifest, ref.ref, index));
        }
    }
    if (result.empty()) {
        const bool are_many = names.size() > most_refs_named;
        names.resize(std::min(names.size(), most_refs_named));
        throw InputError(wanted ? fmt::format("{}: no ref with an index is like '{}'; it has {}{}",
                                              manifest.place(), *wanted, fmt::join(names, ", "),
                                              are_many ? ", ..." : "")
                                : fmt::format("{}: has no ref with an index", manifest.place()));
    }
    return result;
}

std::vector<Input> inputs_of_views(const SharedContext& context, const Location& mirror,
                                   const Resolved& found) {
    const bool is_here = !found.mirror && !mirror.is_url();
    const auto files = is_here ? SpecFiles::of_layout_3(mirror.text()) : found.mirror;
    std::vector<Input> inputs;
    for (const std::string& view : found.views) {
        Input& input = inputs.emplace_back(later_input(
            context, view, mirror.below(path_of_view(view)).place(), [context, mirror, view] {
                return *context->resolver.resolve_view(mirror, view).file;
            }));
        input.mirror = files;
        input.view_of = found.file ? found.file->place() : "";
    }
    return inputs;
}

}  // namespace cacheledger
