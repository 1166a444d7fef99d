#include "ingest/sources/inputs/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "ingest/sources/inputs/resolve.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

// What is shared by the functions that open inputs later.
struct InputContext {
    std::shared_ptr<HttpCache> http;
    Resolver resolver;
    UrlMap map;
};
using SharedContext = std::shared_ptr<const InputContext>;

// What an argument turned out to be.
struct FoundArgument {
    Argument argument;
    Location location;  // of a mirror whose views are read, the mirror
    Resolved resolved;
    std::string shown;
};

constexpr std::size_t most_refs_bytes = 64U << 20U;
constexpr std::size_t most_refs_named = 10;

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
Input later_input(const SharedContext& context, std::optional<std::string> label, std::string place,
                  std::function<FoundFile()> find, const std::string& known_url = "") {
    // Not the file itself, which would stay open.
    const auto fetched = std::make_shared<std::string>(known_url);
    Input input{std::move(label), std::move(place), {}, {}};
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
        const Location location = at_entry(manifest, ref, label, [&] {
            return location_in_manifest(context->map, manifest, url);
        });
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

// The indexes of each ref of a manifest that lists any; only of those refs that match the GLOB
// `wanted`, if that is given. Throws InputError if there is none.
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

// The views of a mirror, each as the index of the stack of its name. `found`: what the mirror
// turned out to be, with the names of the views.
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

Input input_of(const SharedContext& context, const FoundArgument& found) {
    const Resolved& resolved = found.resolved;
    const std::string place = Location(found.argument.path).place();
    if (resolved.specs) {
        const auto open = [place]() -> FoundFile { throw InputError(place + ": has no index"); };
        return {found.argument.label, place, open,         [] {},
                resolved.specs,       false, std::nullopt, resolved.specs};
    }
    const FoundFile& file = resolved.file.value();
    Input input = later_input(
        context, found.argument.label, file.place(), [file] { return file; },
        file.location().is_url() ? file.location().text() : "");
    input.mirror = resolved.mirror;
    input.is_main_index = resolved.is_main_index;
    return input;
}

using ViewNames = std::optional<std::vector<std::string>>;

// Sorted, each once: a state whose files come in another order would be read again.
ViewNames checked_views(const InputOptions& options) {
    ViewNames views = options.views;
    if (!views) {
        return views;
    }
    for (const std::string& view : *views) {
        if (const auto problem = view_name_problem(view)) {
            throw UsageError(fmt::format("ingest: --view '{}': {}", view, *problem));
        }
    }
    if (options.arguments.size() > 1 || read_argument(options.arguments[0]).label) {
        throw UsageError("ingest: --view reads views of one mirror: expected one PATH, no STACK");
    }
    std::ranges::sort(*views);
    views->erase(std::unique(views->begin(), views->end()), views->end());
    return views;
}

// With a label it is one index. Of a mirror, those views are read that are asked for, else those of
// a folder.
FoundArgument find_argument(const InputContext& context, const std::string& text,
                            const ViewNames& views) {
    Argument argument = read_argument(text);
    Location location(context.map.map(argument.path).text);
    if (views) {
        location = location.mirror_root().value_or(location);
    }
    const Resolver& resolver = context.resolver;
    Resolved resolved = argument.label               ? resolver.resolve_one(location)
                        : views && location.is_url() ? resolver.resolve_mirror(location)
                                                     : resolver.resolve(location);
    if (resolved.shape == Shape::page && resolved.file) {
        resolved.file->refuse_no_page(resolved.said_below);
    }
    resolved.views = argument.label ? std::vector<std::string>() : views.value_or(resolved.views);
    for (const std::string& view : resolved.views) {
        if (const auto problem = view_name_problem(view)) {
            throw InputError(fmt::format("{}: the view '{}': {}; --view NAME reads others",
                                         location.place(), view, *problem));
        }
    }
    return {std::move(argument), std::move(location), std::move(resolved), shown_argument(text)};
}

std::vector<FoundArgument> find_all(const InputContext& context,
                                    const std::vector<std::string>& arguments,
                                    const ViewNames& views) {
    std::vector<FoundArgument> found;
    std::vector<std::string> problems;
    for (const std::string& text : arguments) {
        try {
            found.push_back(find_argument(context, text, views));
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
    const auto path_of = [](const std::string& text) { return read_argument(text).path; };
    if (std::ranges::count(arguments, std::string("-"), path_of) > 1) {
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
    if (std::ranges::any_of(found, may_hold_pages)) {
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
    inputs.kind = found.front().resolved.shape;
    if (inputs.kind != Shape::page) {
        RefInputs& all = inputs.refs.emplace_back();
        for (const FoundArgument& one : found) {
            if (one.resolved.file || one.resolved.specs) {
                all.inputs.push_back(input_of(context, one));
            }
            std::ranges::move(inputs_of_views(context, one.location, one.resolved),
                              std::back_inserter(all.inputs));
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
    const ViewNames views = checked_views(options);
    UrlMap map;
    for (const std::string& mapping : options.url_maps) {
        map.add(mapping);
    }
    const Say say = options.say ? options.say : [](const auto&) {};
    HttpOptions http_options = options.http;
    http_options.say = say;
    const auto http = std::make_shared<HttpCache>(std::move(http_options));
    const auto context = std::make_shared<const InputContext>(
        InputContext{http, Resolver(http, say), std::move(map)});
    const auto found = find_all(*context, options.arguments, views);
    refuse_mixture(found);
    const Resolved& first = found.front().resolved;
    if (views && first.shape != Shape::index) {
        throw UsageError(fmt::format("ingest: --view reads views of a mirror, and {} is {}",
                                     found.front().shown, name_of_found(found.front())));
    }
    if (first.shape == Shape::refs) {
        Inputs inputs;
        inputs.kind = Shape::index;
        inputs.refs = inputs_of_refs(context, first.file.value(), options.ref, say);
        return inputs;
    }
    if (options.ref) {
        throw UsageError(fmt::format("ingest: --ref chooses refs of a manifest, and {} is {}",
                                     found.front().shown, name_of_found(found.front())));
    }
    return inputs_of(context, found, say);
}

}  // namespace cacheledger
