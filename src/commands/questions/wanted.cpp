#include "src/commands/questions/wanted.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/graphs/graph/graph.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/inputs/found_file.hpp"
#include "ingest/sources/inputs/resolve.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/wishes/wanted_builds.hpp"
#include "schema/specs/environments/wish_list.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/spelling/deptypes.hpp"
#include "schema/text/counted.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_list_bytes = 64U << 20U;
constexpr std::size_t most_findings_shown = 5;

WantedEdge to_wanted(const Edge& edge) {
    const bool is_runtime = (edge.types & (dep_link | dep_run)) != 0;
    const bool is_build = (edge.types & dep_build) != 0;
    return {edge.child, is_runtime, is_build, hashed_since(edge.types)};
}

// What the roots need; of nodes that are not described, only where these count.
WantedGraph to_wanted(const std::string& name, const Graph& graph, std::vector<WantedRoot> roots,
                      bool with_undescribed = true) {
    WantedGraph wanted;
    wanted.name = name;
    wanted.roots = std::move(roots);
    for (const Node& node : graph.nodes) {
        WantedNode& one = wanted.nodes.emplace_back();
        one.spec = words_of(node);
        if (node.is_described()) {
            one.form = node.form;
        }
        for (std::uint32_t i = 0; i < node.num_edges; ++i) {
            const Edge& edge = graph.edges[node.first_edge + i];
            if (with_undescribed || graph.nodes[edge.child].is_described()) {
                one.needs.push_back(to_wanted(edge));
            }
        }
    }
    return wanted;
}

std::vector<WantedRoot> roots_of(const std::vector<std::uint32_t>& nodes) {
    std::vector<WantedRoot> roots;
    roots.reserve(nodes.size());
    for (const std::uint32_t node : nodes) {
        roots.push_back({.node = node});
    }
    return roots;
}

std::vector<WantedRoot> roots_of(const GraphFile& file) {
    if (file.kind != SourceKind::lock) {
        return roots_of(file.present);
    }
    std::vector<WantedRoot> roots;
    roots.reserve(file.roots.size());
    for (const Root& root : file.roots) {
        roots.push_back({root.node, root.text, root.group});
    }
    return roots;
}

// What is odd about a file, in a few lines. `note`: the text of one.
template <typename Finding, typename Note>
void print_findings(const std::string& place, const std::vector<Finding>& findings,
                    std::size_t not_listed, const Note& note) {
    std::vector<std::string> notes;
    // "1 more note" would take the line of that note.
    const bool is_one_more = findings.size() + not_listed == most_findings_shown + 1;
    const std::size_t shown =
        std::min(findings.size(), most_findings_shown + (is_one_more ? 1 : 0));
    for (std::size_t i = 0; i < shown; ++i) {
        notes.push_back(note(findings[i]));
    }
    const std::size_t more = findings.size() + not_listed - shown;
    if (more > 0) {
        notes.push_back(
            fmt::format("{}: {}", place, counted(static_cast<std::int64_t>(more), "more note")));
    }
    print_notes(notes);
}

void print_findings(const std::string& place, const std::vector<WishFinding>& findings) {
    print_findings(place, findings, 0, [&](const WishFinding& finding) {
        return fmt::format("{}:{}: {}", place, finding.line, finding.detail);
    });
}

void print_findings(const std::string& place, const std::vector<PageFinding>& findings,
                    std::size_t not_listed) {
    print_findings(place, findings, not_listed, [&](const PageFinding& finding) {
        return fmt::format("{}: {}", place, finding.detail());
    });
}

// As lists without a spec are refused (schema/specs/lists/spec_list.hpp): nothing would be covered
// to 100 %.
InputError asks_for_nothing(const std::string& name) {
    return InputError(fmt::format("{}: asks for nothing: expected at least one spec", name));
}

WantedGraph refuse_nothing(WantedGraph wanted) {
    if (wanted.roots.empty()) {
        throw asks_for_nothing(wanted.name);
    }
    return wanted;
}

WantedGraph read_graph_file(const FoundFile& file, const std::string& name) {
    GraphReader reader;
    const OpenBytes bytes = file.bytes();
    GraphFile content = at_json_file(file, [&] { return reader.read(name, *bytes); });
    const Graph graph = reader.finish();
    if (auto missing = Undescribed(graph).finding(1)) {
        content.findings.add(std::move(*missing));
    }
    print_findings(name, content.findings.kept(), content.findings.more());
    return refuse_nothing(to_wanted(name, graph, roots_of(content)));
}

WantedGraph read_json_of_specs(std::string_view text, const std::string& name) {
    const PrintedSpecs printed = read_printed_specs(text, name);
    print_findings(name, printed.findings.kept(), printed.findings.more());
    return refuse_nothing(
        to_wanted(name, printed.graph, roots_of(printed.roots), !printed.is_list));
}

// Behind a prompt, or messages of Spack.
bool has_json_of_specs(std::string_view text) {
    const std::string_view rest = behind_messages(text);
    if (rest.size() == text.size()) {
        return false;
    }
    try {
        return shape_of(rest, true) == Shape::specs;
    } catch (const Problem&) {
        return false;
    }
}

// `path`: nullopt for standard input and URLs, which have no files beside them.
WantedList read_environment(std::string_view text, const std::string& name,
                            const std::optional<std::filesystem::path>& path) {
    const WishList wishes = read_wish_list(text, name, {path, true});
    print_findings(name, wishes.findings);
    std::vector<std::string> notes;
    for (const std::string& note : wishes.notes) {
        notes.push_back(fmt::format("{}: {}", name, note));
    }
    print_notes(notes);
    if (wishes.wishes.empty()) {
        throw asks_for_nothing(name);
    }
    WantedList list{name, {}};
    for (const Wish& wish : wishes.wishes) {
        if (wish.is_external) {
            ++list.specs.external;
            continue;
        }
        list.specs.specs.push_back(
            {wish.line, wish.spec, wish.query, false, true, wish.conditions, wish.of_dependencies});
    }
    list.specs.not_read = wishes.not_read;
    std::ranges::copy_if(wishes.findings, std::back_inserter(list.specs.left_out),
                         &WishFinding::leaves_out);
    return list;
}

std::string folder_without(const Location& folder) {
    std::string what = "a folder without one";
    for (const std::string_view name : {"spack.lock", "spack.yaml"}) {
        if (const auto files = files_below(folder.text(), name)) {
            return what + "; there are " + *files;
        }
    }
    return what;
}

WantedInput read_file_of(const Location& location, const std::string& name) {
    HttpOptions options;
    const auto say = [](const std::string& line) { print_notes({line}); };
    options.say = say;
    const Resolver resolver(std::make_shared<HttpCache>(std::move(options)), say,
                            JsonOfSpecs::taken);
    const Resolved found = resolver.resolve_one(location);
    if (found.shape == Shape::lock || found.shape == Shape::install) {
        return read_graph_file(found.file.value(), name);
    }
    if (found.shape == Shape::specs) {
        return read_json_of_specs(found.file->text(most_list_bytes), name);
    }
    if (found.shape != Shape::page || !found.file) {
        throw InputError(fmt::format(
            "{}: expected a lock file, an install database, a spack.yaml or a list of specs; found "
            "{}",
            name, found.file ? std::string(name_of(found.shape)) : folder_without(location)));
    }
    const std::string text = found.file->text(most_list_bytes);
    if (is_environment(text)) {
        const Location& read = found.file->location();
        return read_environment(text, name,
                                read.is_url() || read.is_standard_input()
                                    ? std::nullopt
                                    : std::optional<std::filesystem::path>(read.place()));
    }
    if (has_json_of_specs(text)) {
        return read_json_of_specs(text, name);
    }
    WantedList list{name, read_spec_list(text, name)};
    print_findings(name, list.specs.left_out);
    return list;
}

WantedInput read_file(const Location& location) {
    if (!location.is_standard_input()) {
        return read_file_of(location, location.place());
    }
    const std::string name = "standard input";
    try {
        return read_file_of(location, name);
    } catch (const InputError& error) {
        std::vector<std::string> problems = error.problems();
        for (std::string& problem : problems) {
            if (problem.starts_with("-: ")) {  // as what reads it calls it
                problem.replace(0, 1, name);
            }
        }
        throw InputError(problems);
    }
}

namespace fs = std::filesystem;

void refuse_unreadable(const fs::path& folder, const std::error_code& error) {
    if (error) {
        throw InputError(fmt::format("{}: {}", folder.string(), error.message()));
    }
}

bool has_file(const fs::path& folder, const char* name) {
    std::error_code error;
    const bool has = fs::exists(folder / name, error);
    refuse_unreadable(folder, error);
    return has;
}

}  // namespace

bool names_wanted_file(const std::string& text) {
    std::error_code ignored;
    const auto status = std::filesystem::status(text, ignored);
    return text == "-" || is_url(text) ||
           (std::filesystem::exists(status) && !std::filesystem::is_directory(status));
}

WantedInput read_wanted_file(SQLite::Database& database, const std::string& text) {
    WantedInput input = read_file(Location(text));
    if (auto* const list = std::get_if<WantedList>(&input)) {
        leave_out_externals(database, list->specs);
    }
    return input;
}

WantedInput read_wanted(SQLite::Database& database, const std::string& text,
                        const std::string& option) {
    if (names_wanted_file(text)) {
        return read_wanted_file(database, text);
    }
    try {
        return refuse_nothing(wanted_of_snapshot(database, find_snapshot(database, text)));
    } catch (const UsageError& error) {
        std::error_code ignored;
        if (std::filesystem::is_directory(text, ignored)) {
            return read_wanted_file(database, text);
        }
        throw UsageError(fmt::format("{} '{}': no such file, and {}", option, text, error.what()));
    }
}

std::string EnvironmentFolder::not_read() const {
    constexpr std::size_t most_named = 3;
    if (without.empty()) {
        return "";
    }
    std::string names =
        fmt::format("{}", fmt::join(without.begin(),
                                    std::next(without.begin(), static_cast<std::ptrdiff_t>(std::min(
                                                                   without.size(), most_named))),
                                    ", "));
    if (without.size() > most_named) {
        names += fmt::format(" and {} more", without.size() - most_named);
    }
    return fmt::format("{} no spack.lock, and {} not read: {}.",
                       counted(std::ssize(without), "environment has", "environments have"),
                       words_for(std::ssize(without), "is", "are"), names);
}

EnvironmentFolder environments_in(const std::string& folder) {
    EnvironmentFolder found;
    std::error_code error;
    if (!fs::is_directory(folder, error) || has_file(folder, "spack.lock")) {
        return found;
    }
    if (has_file(folder, "spack.yaml")) {
        found.without.push_back(folder);
    }
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (has_file(entry->path(), "spack.lock")) {
            found.locks.push_back((entry->path() / "spack.lock").string());
        } else if (has_file(entry->path(), "spack.yaml")) {
            found.without.push_back(entry->path().string());
        }
    }
    refuse_unreadable(folder, error);
    std::ranges::sort(found.locks);
    std::ranges::sort(found.without);
    return found;
}

void ReadInputs::add_to(Coverage& coverage) const {
    if (!not_read.empty()) {
        coverage.remarks.push_back(not_read);
        coverage.not_read += (coverage.not_read.empty() ? "" : " ") + not_read;
    }
}

ReadInputs read_each_wanted(SQLite::Database& database, const std::vector<std::string>& words) {
    ReadInputs inputs;
    inputs.wanted.reserve(words.size());
    EnvironmentFolder all;
    for (const std::string& word : words) {
        try {
            inputs.wanted.push_back(read_wanted(database, word));
        } catch (const InputError&) {
            EnvironmentFolder folder = environments_in(word);
            if (folder.locks.empty()) {
                throw;
            }
            for (const std::string& lock : folder.locks) {
                inputs.wanted.push_back(read_wanted(database, lock));
            }
            std::ranges::move(folder.without, std::back_inserter(all.without));
        }
    }
    inputs.not_read = all.not_read();
    return inputs;
}

}  // namespace cacheledger
