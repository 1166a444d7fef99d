#include "ingest/sources/inputs/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ingest/bytes/problems/at_file.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/plain_bytes.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/files/folder_search.hpp"
#include "ingest/sources/files/git_folder.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "ingest/sources/inputs/resolve.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_refs_bytes = 64U << 20U;
constexpr std::size_t most_refs_named = 10;

InputKind input_kind_of(Shape shape) {
    return shape == Shape::index     ? InputKind::index
           : shape == Shape::install ? InputKind::install
           : shape == Shape::lock    ? InputKind::lock
                                     : InputKind::pages;
}

// What an argument turned out to be.
struct FoundArgument {
    Argument argument;
    Resolved resolved;
    std::string shown;
};

// What is shared by the functions that open inputs later.
struct Context {
    std::shared_ptr<HttpCache> http;
    Resolver resolver;
    UrlMap map;
};
using SharedContext = std::shared_ptr<const Context>;

// Throws where what is no JSON is no page, either.
void refuse_no_page(const Resolved& resolved) {
    if (resolved.shape != Shape::page || !resolved.file) {
        return;
    }
    const FoundFile& file = *resolved.file;
    const std::string head = file.head(2);
    if (is_gzip(head)) {
        throw InputError(
            fmt::format("{}: expected {}; found gzip data of other text; pages are read only plain",
                        file.place(), inputs_of_json));
    }
    const bool is_url = file.location().is_url();
    if (head.empty() && (is_url || file.location().has_name_of_json())) {
        throw InputError(
            fmt::format("{}: the file is empty; expected {}", file.place(), inputs_of_json));
    }
    if (is_url) {
        throw InputError(
            fmt::format("{}: expected JSON: {}; pages are read from files and folders only{}{}",
                        file.place(), inputs_of_json,
                        resolved.said_below.empty() ? "" : "; below it, ", resolved.said_below));
    }
}

Input input_of(const SharedContext& context, std::optional<std::string> label,
               const FoundArgument& found) {
    const Resolved& resolved = found.resolved;
    if (resolved.specs) {
        const std::string place = Location(found.argument.path).place();
        return {std::move(label),
                place,
                [place]() -> FoundFile { throw InputError(place + ": has no index"); },
                [] {},
                resolved.specs,
                false,
                resolved.specs};
    }
    const FoundFile file = resolved.file.value();
    Input input{std::move(label), file.place(), [resolved] { return resolved.file.value(); },
                [] {}};
    if (file.location().is_url()) {
        input.discard = [context, url = file.location().text()] { context->http->discard(url); };
    }
    input.mirror = resolved.mirror;
    input.is_main_index = resolved.is_main_index;
    return input;
}

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

// What an index of a manifest is, found out when it is needed.
Input labelled_input(const SharedContext& context, const FoundFile& manifest,
                     const std::string& ref, const LabelledUrl& index) {
    Input input{index.label, shown_url(context->map.map(index.url).text), {}, [] {}};
    const auto resolve = [context, manifest, ref, label = index.label, url = index.url] {
        const Location location = at_entry(
            manifest, ref, label, [&] { return location_of(context->map, manifest, url); });
        Resolved resolved = context->resolver.resolve(location);
        if (resolved.shape != Shape::index || resolved.specs) {
            throw InputError(
                fmt::format("{}: expected a build-cache index, found {}",
                            resolved.file ? resolved.file->place() : shown_url(url),
                            resolved.file ? name_of(resolved.shape) : "a folder without one"));
        }
        return *std::move(resolved.file);
    };
    // Not the file itself, which would stay open.
    const auto fetched = std::make_shared<std::string>();
    input.open = [resolve, fetched] {
        FoundFile file = resolve();
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

std::vector<FoundArgument> resolve_all(const Resolver& resolver, const UrlMap& map,
                                       const std::vector<std::string>& arguments) {
    std::vector<FoundArgument> found;
    std::vector<std::string> problems;
    for (const std::string& text : arguments) {
        Argument argument = read_argument(text);
        try {
            const Location location(map.map(argument.path).text);
            Resolved resolved = resolver.resolve(location);
            refuse_no_page(resolved);
            found.push_back({std::move(argument), std::move(resolved), shown_argument(text)});
        } catch (const InputError& error) {
            problems.insert(problems.end(), error.problems().begin(), error.problems().end());
        }
    }
    if (!problems.empty()) {
        throw InputError(problems);
    }
    return found;
}

std::string_view name_of_found(const FoundArgument& one) {
    return one.resolved.shape == Shape::page ? "pages" : name_of(one.resolved.shape);
}

void refuse_second_standard_input(const std::vector<std::string>& arguments) {
    const auto is_standard_input = [](const std::string& text) {
        return read_argument(text).path == "-";
    };
    if (std::count_if(arguments.begin(), arguments.end(), is_standard_input) > 1) {
        throw UsageError("ingest: '-' is given twice: standard input can be read only once");
    }
}

// Throws where they can't be one snapshot.
void refuse_mixture(const std::vector<FoundArgument>& found) {
    const FoundArgument& first = found.front();
    for (const FoundArgument& one : found) {
        if (one.resolved.shape != first.resolved.shape) {
            throw UsageError(
                fmt::format("ingest: {} is {}, and {} is {}: they can't be one snapshot",
                            first.shown, name_of_found(first), one.shown, name_of_found(one)));
        }
        if (one.argument.label && one.resolved.shape != Shape::index) {
            throw UsageError(
                fmt::format("ingest: '{}': only an index can be that of a stack, and this is {}",
                            one.shown, name_of_found(one)));
        }
    }
    if (first.resolved.shape == Shape::refs && found.size() > 1) {
        throw InputError(fmt::format("{} and {} are manifests of indexes: load one after the other",
                                     first.shown, found[1].shown));
    }
}

bool may_hold_pages(const FoundArgument& one) {
    if (one.resolved.file) {
        return true;
    }
    const Location folder(one.argument.path);
    if (find_page(folder.text())) {
        return true;
    }
    FoundFiles found;  // looks further down, and at pages with problems
    std::vector<Problem> problems;
    search_folder(folder.text(), 1, found, problems);
    return !found.files.empty() || !found.linked_folders.empty() || !problems.empty();
}

std::string nothing_found(const FoundArgument& one) {
    std::error_code ignored;
    const std::filesystem::path folder = one.argument.path;
    std::string rest;
    if (std::filesystem::is_regular_file(folder / "manifest.json", ignored)) {
        rest = fmt::format(", but a manifest of indexes: cacheledger ingest {}/manifest.json",
                           one.shown);
    } else if (const auto locks = files_below(folder.string(), "spack.lock")) {
        rest = ", but lock files in its folders: " + *locks;
    } else {
        rest = fmt::format("; looked for .md and .txt files, and for {}", known_places());
    }
    return fmt::format("{}: no package pages found and no index{}", one.shown, rest);
}

// Of a repository without a commit at its HEAD, no history can be loaded either.
std::string hint_at_repository(const std::string& folder) {
    try {
        const GitRepository repository(folder);
        const auto head = repository.head();
        if (!head) {
            return folder +
                   ": a git repository without commits, or whose HEAD is on no branch that exists";
        }
        if (const auto commit = repository.commit(*head)) {
            repository.entries(commit->tree);  // a clone may lack it
        }
    } catch (const InputError& error) {
        return error.what();  // nor can its commits be read
    } catch (const std::runtime_error&) {
        // What is wrong with it is said when its commits are read.
    }
    return hint_at_history(folder);
}

// Throws where all are folders without anything.
void refuse_nothing(const std::vector<FoundArgument>& found) {
    if (std::any_of(found.begin(), found.end(), may_hold_pages)) {
        return;
    }
    std::vector<std::string> problems;
    problems.reserve(found.size());
    for (const FoundArgument& one : found) {
        problems.push_back(is_git_repository(one.argument.path)
                               ? hint_at_repository(one.argument.path)
                               : nothing_found(one));
    }
    throw InputError(problems);
}

Inputs inputs_of(const SharedContext& context, const std::vector<FoundArgument>& found,
                 const Say& say) {
    Inputs inputs;
    inputs.kind = input_kind_of(found.front().resolved.shape);
    if (inputs.kind != InputKind::pages) {
        RefInputs& all = inputs.refs.emplace_back();
        for (const FoundArgument& one : found) {
            all.inputs.push_back(input_of(context, one.argument.label, one));
        }
        return inputs;
    }
    refuse_nothing(found);
    for (const FoundArgument& one : found) {
        if (!one.resolved.file && is_git_repository(one.argument.path)) {
            say("only the files that are checked out are read: " +
                hint_at_history(one.argument.path));
        }
        const Location location(one.argument.path);
        inputs.pages.push_back(location.text());
        if (location.is_standard_input() && !inputs.standard_input) {
            inputs.standard_input = [file = one.resolved.file.value()] {
                return file.head(most_page_bytes + 1);  // one more is refused
            };
        }
    }
    return inputs;
}

}  // namespace

Inputs find_inputs(const InputOptions& options) {
    if (options.arguments.empty()) {
        throw UsageError("ingest: expected a file, a folder, a URL or -");
    }
    refuse_second_standard_input(options.arguments);
    UrlMap map;
    for (const std::string& mapping : options.url_maps) {
        map.add(mapping);
    }
    const Say say = options.say ? options.say : [](const auto&) {};
    HttpOptions http_options = options.http;
    http_options.say = say;
    const auto http = std::make_shared<HttpCache>(std::move(http_options));
    const auto context =
        std::make_shared<const Context>(Context{http, Resolver(http, say), std::move(map)});
    const auto found = resolve_all(context->resolver, context->map, options.arguments);
    refuse_mixture(found);
    const Resolved& first = found.front().resolved;
    if (first.shape == Shape::refs) {
        Inputs inputs;
        inputs.kind = InputKind::index;
        inputs.refs = inputs_of_refs(context, first.file.value(), options.ref, say);
        return inputs;
    }
    if (options.ref) {
        throw UsageError(fmt::format("ingest: --ref chooses refs of a manifest, and {} is {}",
                                     found.front().shown, name_of_found(found.front())));
    }
    return inputs_of(context, found, say);
}

std::string_view name_of(InputKind kind) {
    constexpr std::array<std::string_view, 4> names = {"pages", "a build-cache index",
                                                       "an install database", "a lock file"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace cacheledger
