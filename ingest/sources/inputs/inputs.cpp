#include "ingest/sources/inputs/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/files/open_file.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/inputs/labelled_inputs.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "ingest/sources/inputs/resolve.hpp"
#include "ingest/sources/mirrors/index_views.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

InputKind input_kind_of(Shape shape) {
    return shape == Shape::index     ? InputKind::index
           : shape == Shape::install ? InputKind::install
           : shape == Shape::lock    ? InputKind::lock
                                     : InputKind::pages;
}

// What an argument turned out to be.
struct FoundArgument {
    Argument argument;
    Location location;  // of a mirror whose views are read, the mirror
    Resolved resolved;
    std::string shown;
};

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
                std::nullopt,
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
    refuse_no_page(resolved);
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
            if (one.resolved.file || one.resolved.specs) {
                all.inputs.push_back(input_of(context, one.argument.label, one));
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
