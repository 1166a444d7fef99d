#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/timeline/timeline.hpp"
#include "reports/render/charts/draw_chart.hpp"
#include "reports/render/document/document.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/names/tag.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/asked/fetched_sizes.hpp"
#include "src/commands/list/command.hpp"
#include "src/commands/questions/wanted.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

constexpr std::array coverage_formats = {Format::junit, Format::github, Format::hashes,
                                         Format::specs, Format::svg};
const std::vector<std::string> coverage_gate_names = {"drop"};
const std::vector<std::string> by_names = {"root", "group"};
const std::vector<std::string> list_names = {"build", "there"};

constexpr const char* coverage_usage =
    "cacheledger coverage WANTED... [options]\n"
    "       cacheledger coverage --stack NAME [options]\n\n"
    "  cacheledger coverage spack.lock\n"
    "  cacheledger coverage spack.lock --since 'develop@{1 week ago}' --fail-on drop\n"
    "  cacheledger coverage */spack.lock --format markdown\n"
    "  cacheledger coverage spack.lock --each 'develop*'\n"
    "  cacheledger coverage spack.lock --at develop --at develop~1\n"
    "  cacheledger coverage --stack e4s\n\n"
    "How much of an environment a cache has, and what must be built, in building order. WANTED is\n"
    "a lock file (spack.lock), an install database, the snapshot of one, an environment\n"
    "(spack.yaml), or a list of specs: one in each line, or what 'spack concretize', 'spack spec'\n"
    "or 'spack find' prints; - for standard input. Several of them have a line each, and a total, "
    "in which a spec that several\n"
    "need counts once; then what most of them wait for, and what to build first so that most of "
    "them\n"
    "are soon whole. A folder of environments is all NAME/spack.lock in it; those that have no "
    "lock\n"
    "file are named, and no gate passes.\n\n"
    "A spec of a lock file is there if the cache has its hash. A spec of a list is there if the\n"
    "cache has its hash, or a build that matches it. For a spec of a spack.yaml, the build must\n"
    "also be what its 'packages' require. External specs are left out. What is there\n"
    "needs what it links and runs; what must be built also needs what it is built with. The "
    "builds\n"
    "of one wave can run side by side. The percentage is of all that is needed to link and\n"
    "to run. It is cut, not rounded: 99.96 % is shown as 99.9 %. CSV has a row for each missing "
    "spec, as JSON has in 'missing', or for each WANTED if\n"
    "there are several.\n\n"
    "If the ledger has build times (ingest --build-times), says how long building takes, and\n"
    "which builds that wait for each other take longest together.\n\n"
    "--format hashes prints the hashes of what must be built, or with --list there of what is "
    "there,\n"
    "one in each line.\n\n"
    "The ledger remembers what is missing: the column 'seen' says which series has a build now, "
    "or\n"
    "until when one had it. With --each, it compares snapshots, the best first. --format svg "
    "draws\n"
    "them over time.\n\n"
    "Several --at are asked in this order, as Spack tries its mirrors: what each one has, what it "
    "adds\n"
    "to those before it, and what none has. JSON and Markdown tell of each build which cache it "
    "comes\n"
    "from.\n\n"
    "With --sizes, it says how much is to be fetched. It asks the mirror that the snapshot was "
    "read\n"
    "from for what the ledger does not know: one small file of each build, eight at a time. The\n"
    "ledger keeps the answers; prune and the reports sizes/ use them. An address is stored "
    "without\n"
    "its password; name such a mirror with --at.\n\n"
    "With --stack, it tells what of the list of a stack its builds are. The list is the one that\n"
    "a package repository had at the moment of the snapshot; 'ingest' loads such a repository. A\n"
    "wish is there if a build of the stack surely meets it, with what the list requires of the\n"
    "package. What it requires of other packages, such as mpi, is not judged. The report\n"
    "coverage/wishes shows all stacks.\n\n"
    "In the environment of the lock file, this builds what is missing:\n\n"
    "  spack -e . install $(cacheledger coverage spack.lock --format specs)";

struct AskedCoverage {
    CoverageConditions conditions;
    bool with_build_dependencies = false;
    AskedParts parts{};
    bool sizes = false;  ///< Coverage::to_fetch
};

CoverageConditions read_conditions(const ParsedOptions& parsed) {
    CoverageConditions conditions;
    if (const auto text = parsed.text("fail-under")) {
        conditions.least = read_fail_under(*text);
    }
    for (const std::string& gate : parsed.texts("fail-on")) {
        if (std::ranges::find(coverage_gate_names, gate) == coverage_gate_names.end()) {
            refuse_unknown("gate", gate, coverage_gate_names, "there is: drop");
        }
        conditions.may_not_fall = true;
    }
    if (conditions.may_not_fall && !parsed.has("since")) {
        throw UsageError("--fail-on drop compares with an earlier snapshot: give --since SNAPSHOT");
    }
    return conditions;
}

void check_wanted(const ParsedOptions& parsed) {
    if (parsed.texts("at").size() > 1 && (parsed.has("stack") || parsed.has("since"))) {
        throw UsageError(fmt::format("coverage: {} asks one cache: give one --at",
                                     parsed.has("stack") ? "--stack" : "--since"));
    }
    if (parsed.has("stack")) {
        if (parsed.has("sizes")) {
            throw UsageError("coverage: --sizes is for lock files: --stack takes none");
        }
        if (!parsed.words.empty() || parsed.has("all-build-dependencies")) {
            throw UsageError(
                fmt::format("coverage: --stack asks for the list of a stack, and takes no {}",
                            parsed.words.empty() ? std::string("--all-build-dependencies")
                                                 : fmt::format("'{}'", parsed.words.front())));
        }
        return;
    }
    if (parsed.words.empty()) {
        throw UsageError(
            "coverage: expected a lock file, a snapshot, a spack.yaml or a list of specs; see "
            "cacheledger "
            "coverage --help");
    }
}

std::optional<RootsBy> read_roots_by(const ParsedOptions& parsed) {
    const auto by = parsed.text("by");
    if (!by) {
        return std::nullopt;
    }
    if (std::ranges::count(by_names, *by) == 0) {
        refuse_unknown("table by", *by, by_names, "there are: root, group");
    }
    if (parsed.words.size() > 1 || parsed.has("stack")) {
        throw UsageError("--by tells the roots of one WANTED apart: give one");
    }
    return *by == "group" ? RootsBy::group : RootsBy::root;
}

bool read_list(const ParsedOptions& parsed, const Output& output) {
    const auto list = parsed.text("list");
    if (list && std::ranges::count(list_names, *list) == 0) {
        refuse_unknown("table", *list, list_names, "there are: build, there");
    }
    const Format format = output.format();
    if (list && format != Format::hashes && format != Format::specs) {
        throw UsageError(
            fmt::format("--list {}: give --format hashes or --format specs with it", *list));
    }
    if (list == "there" && parsed.has("stack")) {
        throw UsageError("coverage: --stack takes no --list there");
    }
    return list == "there";
}

void check_each(const ParsedOptions& parsed, const Output& output) {
    const Format format = output.format();
    if (!parsed.has("each")) {
        if (format == Format::svg) {
            throw UsageError("--format svg draws the snapshots of --each: give it");
        }
        return;
    }
    for (const char* const option : {"at", "since", "fail-on", "fail-under", "stack",
                                     "all-build-dependencies", "by", "list", "sizes"}) {
        if (parsed.has(option)) {
            throw UsageError(fmt::format("coverage: --each takes no --{}", option));
        }
    }
    if (!is_common(format) && format != Format::svg) {
        throw UsageError(
            fmt::format("coverage: --each takes no --format {}", name_of(format).name));
    }
}

AskedCoverage read_asked_coverage(const ParsedOptions& parsed, const Output& output) {
    check_each(parsed, output);
    check_wanted(parsed);
    if (std::ranges::count(parsed.words, "-") > 1) {
        throw UsageError("coverage: standard input (-) can be read only once");
    }
    AskedCoverage asked{read_conditions(parsed),
                        parsed.has("all-build-dependencies"),
                        {read_roots_by(parsed), read_list(parsed, output)},
                        parsed.has("sizes")};
    const Format format = output.format();
    const bool shows_gates = format == Format::junit || format == Format::github;
    if (shows_gates && !asked.conditions.least && !asked.conditions.may_not_fall) {
        throw UsageError(fmt::format(
            "--format {} shows whether --fail-under and --fail-on hold: give one of them",
            name_of(format).name));
    }
    if (asked.with_build_dependencies && parsed.words.size() > 1) {
        throw UsageError("--all-build-dependencies is for one WANTED: give one");
    }
    return asked;
}

/// Those of --at and --since. WANTED can be a snapshot of the ledger, which has the lists, too.
TypedSnapshots typed_snapshots(const ParsedOptions& parsed) {
    TypedSnapshots typed = typed_at(
        parsed, !parsed.has("at") || !std::ranges::all_of(parsed.words, names_wanted_file));
    typed.and_wishes = parsed.has("stack");
    if (const auto since = parsed.text("since")) {
        typed.words.push_back(*since);
    }
    return typed;
}

/// The snapshot that is asked, and the earlier one of --since.
AskedCache asked_cache(AskedLedger& ledger, const ParsedOptions& parsed,
                       std::vector<std::string>& notes) {
    SQLite::Database& database = ledger.database();
    std::optional<Snapshot> earlier;
    std::vector<std::string> at = parsed.texts("at");
    if (const auto since = parsed.text("since")) {
        earlier = choose_snapshot(database, ledger.name(since), notes);
        // Of several caches in one ledger, the one that --since names.
        if (at.empty() && ledger.name(*since) == *since) {
            at.push_back(series_of_tag(earlier->tag));
        }
    }
    std::vector<Snapshot> caches = choose_snapshots(database, ledger.names(at), notes);
    AskedCache cache{database, caches.front(), earlier};
    cache.then.assign(caches.begin() + 1, caches.end());
    if (earlier && earlier->id == cache.now.id) {
        notes.push_back(fmt::format("--since and --at are one snapshot: {}", cache.now.name));
    }
    return cache;
}

// What a format that has one value in each line shows: what must be built.
void show_builds(Document& document, const Coverage& coverage, const Output& output,
                 bool lists_there) {
    const Format format = output.format();
    if (format == Format::hashes && coverage.is_list()) {
        throw UsageError(
            "--format hashes: a list of specs does not say which hashes would be built; --format "
            "specs prints those that are missing");
    }
    if (format == Format::hashes || format == Format::specs) {
        document.rows = [&coverage, lists_there] { return install_lines(coverage, lists_there); };
    }
}

ReadInputs read_inputs(AskedLedger& ledger, const ParsedOptions& parsed) {
    ReadInputs inputs = read_each_wanted(ledger.database(), parsed.words);
    const bool asks_one = parsed.has("by") || parsed.has("all-build-dependencies");
    if (asks_one && inputs.wanted.size() > parsed.words.size()) {
        throw UsageError(fmt::format("coverage: --{} is for one WANTED; this folder has {}",
                                     parsed.has("by") ? "by" : "all-build-dependencies",
                                     inputs.wanted.size()));
    }
    return inputs;
}

void refuse_lists(const std::vector<WantedInput>& inputs) {
    for (const WantedInput& input : inputs) {
        if (const auto* const list = std::get_if<WantedList>(&input)) {
            throw UsageError(fmt::format(
                "coverage: --sizes: expected lock files; {} is a list of specs, which does not say "
                "which hashes it means",
                list->name));
        }
    }
}

ExitStatus write_answer(const Document& document, const Output& output,
                        const std::vector<std::string>& notes) {
    output.write(document);
    print_notes(notes);
    std::vector<std::string> failures;
    for (const Gate& gate : document.gates) {
        if (gate.has_failed) {
            failures.push_back(gate.message);
        }
    }
    print_notes(failures);
    return failures.empty() ? exit_done : exit_no;
}

}  // namespace

CommandHelp coverage_help() {
    CommandHelp help{coverage_usage, {}, any_number};
    po::options_description& options = help.options;
    options.add_options()(
        "at", repeated("SNAPSHOT", Offer::snapshots),
        "the snapshot of the cache, or a file that 'ingest' reads; default latest, with --since "
        "the newest of its series. Several --at ask several caches, in this order")(
        "since", once("SNAPSHOT", Offer::snapshots), "also say how much an earlier snapshot had")(
        "each", once("SERIES", NameKind::series),
        "compare all snapshots of a series, or all whose names match a pattern")(
        "fail-on", repeated("GATES", Choices{coverage_gate_names, true}),
        "drop: exit with 1 if the percentage of any WANTED fell since the snapshot of --since")(
        "fail-under", once("PERCENT"),
        "exit with 1 if any WANTED has less than PERCENT of the specs that it needs to link and "
        "run, or of its lines. --format junit and github report it to CI")(
        "by", once("WHAT", Choices{by_names}),
        "root, group: how much of each root of a lock file is there, or of each group of roots")(
        "list", once("TABLE", Choices{list_names}),
        "build, there: what --format hashes and specs print: what must be built, or what is there "
        "(to copy it to another mirror)")(
        "stack", once("NAME", NameKind::stack),
        "instead of WANTED: the list of this stack, and only builds of the stack")(
        "sizes",
        "say how many bytes are to be fetched: ask the mirror for the sizes that the ledger does "
        "not "
        "know, and keep them")(
        "all-build-dependencies",
        "list all that is missing, with what was only needed to build what is there");
    add_row_options(options);
    add_output_options(options, coverage_formats);
    return help;
}

ExitStatus run_coverage(const Invocation& invocation, const ParsedOptions& parsed) {
    const Output output(parsed, invocation.database, coverage_formats, read_row_options(parsed));
    const AskedCoverage asked = read_asked_coverage(parsed, output);
    AskedLedger ledger(invocation.database, invocation.ledger, typed_snapshots(parsed));
    auto notes = ledger.notes();
    if (const auto pattern = parsed.text("each")) {
        const ReadInputs inputs = read_inputs(ledger, parsed);
        const EachSnapshot each =
            cover_each(ledger.database(), *pattern, wanted_of_each(inputs.wanted));
        if (!inputs.not_read.empty()) {
            notes.push_back(inputs.not_read);
        }
        return write_answer(document_of(each), output, notes);
    }
    const AskedCache cache = asked_cache(ledger, parsed, notes);
    if (const auto stack = parsed.text("stack")) {
        StackCoverage found = cover_stack(cache.database, cache.now, *stack);
        cache.compare(found.coverage, [&](const Snapshot& snapshot) {
            return count_stack(cache.database, snapshot, *stack);
        });
        Document document = document_of(found, asked.conditions);
        show_builds(document, found.coverage, output, asked.parts.there);
        return write_answer(document, output, notes);
    }
    const ReadInputs inputs = read_inputs(ledger, parsed);
    AskedParts parts = asked.parts;
    if (asked.sizes) {
        refuse_lists(inputs.wanted);
        parts.there = true;
    }
    if (inputs.wanted.size() > 1) {
        SeveralCoverage coverage = cover_several(cache, inputs.wanted, parts.there);
        inputs.add_to(coverage.total);
        if (asked.sizes) {
            fetch_sizes(invocation.database, ledger, cache, coverage.total, notes);
        }
        Document document = document_of(coverage, asked.conditions);
        show_builds(document, coverage.total, output, asked.parts.there);
        return write_answer(document, output, notes);
    }
    Coverage coverage = cover(cache, inputs.wanted.front(), parts);
    inputs.add_to(coverage);
    if (asked.sizes) {
        fetch_sizes(invocation.database, ledger, cache, coverage, notes);
    }
    Document document = document_of(coverage, asked.conditions, asked.with_build_dependencies);
    show_builds(document, coverage, output, asked.parts.there);
    return write_answer(document, output, notes);
}

}  // namespace cacheledger
