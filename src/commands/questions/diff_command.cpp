#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/catalog/known_names.hpp"
#include "reports/questions/dependents/dependents.hpp"
#include "reports/questions/diff/diff.hpp"
#include "reports/questions/why/why.hpp"
#include "reports/render/charts/draw_chart.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/options/filters/look_filter_options.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

const std::vector<std::string> diff_tables = {"package", "stack"};
constexpr std::array diff_formats = {Format::svg, Format::junit, Format::github};

constexpr const char* diff_usage =
    "cacheledger diff [A] [B] [options]\n"
    "       cacheledger diff HASH HASH [options]\n"
    "\n"
    "  cacheledger diff\n"
    "  cacheledger diff 'develop@{1 week ago}' develop --summary\n"
    "  cacheledger diff old.lock spack.lock\n"
    "  cacheledger diff --by package --target x86_64_v3\n"
    "\n"
    "Shows what changed from snapshot A to snapshot B: first a sentence, then how many builds came "
    "and\n"
    "went for which cause, then lists of the changes. A and B can be of different series, such as\n"
    "v0.21.0 and develop, or files, folders and URLs that 'ingest' reads; these are not loaded "
    "into\n"
    "the ledger. 'diff A' compares A with the snapshot before it. 'diff' compares the newest "
    "snapshot\n"
    "that has one before it in its series. Of two hashes, or their beginnings after a '/', shows "
    "in\n"
    "what the builds and all that they need differ, the nearest first.";

void refuse_unknown_kinds(const std::vector<std::string>& typed) {
    const auto kinds = change_kinds();
    for (const std::string& kind : typed) {
        if (std::ranges::find(kinds, kind) == kinds.end()) {
            refuse_unknown("kind of change", kind, kinds,
                           fmt::format("there are: {}", fmt::join(kinds, ", ")));
        }
    }
}

std::string read_by(const ParsedOptions& parsed) {
    std::string by = parsed.text("by").value_or("");
    if (parsed.has("by") && std::ranges::find(diff_tables, by) == diff_tables.end()) {
        refuse_unknown("table by", by, diff_tables, "there are: package, stack");
    }
    if (!by.empty() && (parsed.has("summary") || parsed.has("kind"))) {
        throw UsageError("diff: --by has no lists that --summary and --kind could cut");
    }
    return by;
}

/// Leaves out what neither the format nor the exit code shows.
void ask_what_is_shown(DiffScope& scope, const ParsedOptions& parsed, const Output& output,
                       bool has_gates) {
    const bool is_by = !scope.by.empty();
    scope.lists_rebuilt =
        has_gates || (!parsed.has("summary") && (!is_by || output.format() == Format::json));
    if (!is_common(output.format())) {
        scope.words = DiffWords::sentence;
    } else if (output.format() == Format::csv) {
        scope.words = DiffWords::none;
        if (!has_gates && !parsed.has("summary")) {
            scope.kinds = !is_by                    ? parsed.texts("kind")
                          : parsed.has("exit-code") ? std::vector<std::string>()
                                                    : std::vector<std::string>{"stack-joined"};
        }
    }
}

/// The causes, or the table by package or stack, as the chart of the report that counts them.
std::string picture_of(const Diff& diff, const std::string& by, bool is_alone) {
    const Catalog catalog;
    const Report& report = catalog.find(by.empty() ? "drift/summary" : "drift/by-" + by);
    const std::string title = fmt::format("{} -> {}", diff.from, diff.to);
    return draw_chart(by.empty() ? diff.causes : diff.by, *report.chart,
                      {.title = title,
                       .caption = fmt::format("{}: {}", report.caption, title),
                       .units = report.units,
                       .sentence = diff.sentence},
                      is_alone);
}

/// The command with the names of what was compared: `develop~1` is another snapshot tomorrow. How
/// the answer is written is not part of it.
std::string command_again(const Diff& diff, const ParsedOptions& parsed) {
    std::vector<std::string> words = parsed.given();
    std::erase_if(words, [](const std::string& option) {
        return option.starts_with("--format=") || option.starts_with("--output=");
    });
    words.insert(words.begin(), {"diff", diff.from, diff.to});
    return command_hint(words);
}

/// Two builds, and no folders with such names.
bool are_builds(const std::vector<std::string>& words) {
    return words.size() == 2 && std::ranges::all_of(words, [](const std::string& word) {
               std::error_code ignored;
               return names_a_hash(word) && !std::filesystem::exists(word, ignored);
           });
}

/// Says what `why` says of them; the rows are what differs.
ExitStatus compare_builds(const Invocation& invocation, const ParsedOptions& parsed) {
    constexpr std::array taken = {"format", "output", "guard-formulas",
                                  "limit",  "all",    "exit-code"};
    for (const std::string& option : parsed.given()) {
        if (std::ranges::none_of(taken, [&](const std::string& name) {
                return option.substr(2, option.find('=') - 2) == name;
            })) {
            throw UsageError(fmt::format("diff: {} is for snapshots, not for two builds", option));
        }
    }
    const Output output(parsed, invocation.database, {}, read_row_options(parsed));
    AskedLedger ledger(invocation.database, invocation.ledger, {});
    SQLite::Database& database = ledger.database();
    const Why why = explain_specs(database, find_hash(database, parsed.words[0]),
                                  find_hash(database, parsed.words[1]));
    Document document = document_of(why);
    document.rows = [&why] { return why.apart; };
    output.write(document);
    return parsed.has("exit-code") && why.from != why.to ? exit_no : exit_done;
}

bool has_rows(const Diff& diff) {
    return std::any_of(diff.sections.begin(), diff.sections.end(),
                       [](const DiffSection& section) { return !section.table.rows.empty(); });
}

}  // namespace

CommandHelp diff_help() {
    CommandHelp help{diff_usage, {}, 2};
    po::options_description& options = help.options;
    options.add_options()("summary",
                          "only the sentence and the counts, no lists of changes; with --all the "
                          "counts by kind, too")(
        "by", once("WHAT", Choices{diff_tables}),
        "instead of the lists, a table of the causes by package or by stack")(
        "kind", repeated("KIND", Choices{change_kinds()}),
        "only changes of this kind, such as version-added; may be given several times")(
        "package", repeated("PACKAGE", NameKind::package),
        "only packages that match, such as 'py-*', or a spec, such as 'hdf5@1.14 +mpi'; may be "
        "given several times")(
        "stack", once("GLOB", NameKind::stack),
        "compare only builds in stacks that match; a build that joins these stacks counts as "
        "added, one that leaves them as removed. '(no stack)': builds in no stack");
    add_look_filter_options(options);
    add_row_options(options);
    options.add_options()(
        "exit-code",
        "exit with 1 if there are changes, after --kind, --package, --stack and the other filters")(
        "fail-on", repeated("GATES", Choices{diff_gate_names(), true}),
        "exit with 1 if there is one of these changes: a kind (package-removed, stack-left), a "
        "cause (version), spec-added or spec-removed; or specs-5%: more than 5 % fewer builds. All "
        "are judged after --package, --stack and the other filters, but not after --kind. "
        "Separated by commas, or given several times. --format junit and github tell CI of them");
    add_output_options(options, diff_formats);
    return help;
}

ExitStatus run_diff(const Invocation& invocation, const ParsedOptions& parsed) {
    if (are_builds(parsed.words)) {
        return compare_builds(invocation, parsed);
    }
    const auto kinds = parsed.texts("kind");
    refuse_unknown_kinds(kinds);
    DiffScope scope = {LookFilter(read_filter_words(parsed, parsed.texts("package"))),
                       read_by(parsed)};
    const auto asked_gates = read_gates(parsed.texts("fail-on"), diff_gate_names());
    const Output output(parsed, invocation.database, diff_formats, read_row_options(parsed));
    if (!is_common(output.format()) && output.format() != Format::svg && asked_gates.empty()) {
        throw UsageError(fmt::format("--format {} shows the gates of --fail-on: give some",
                                     name_of(output.format()).name));
    }
    ask_what_is_shown(scope, parsed, output, !asked_gates.empty());
    const auto stack = parsed.text("stack");
    const Arguments filters = {{"package", scope.builds.package_pattern()},
                               {"stack", stack ? Value(*stack) : Value()}};

    AskedLedger ledger(invocation.database, invocation.ledger, {parsed.words});
    SQLite::Database& database = ledger.database();
    auto notes = ledger.notes();
    std::ranges::move(check_filters(database, scope.builds, stack), std::back_inserter(notes));
    const SnapshotPair pair = choose_pair(database, ledger.names(parsed.words), notes);
    std::ranges::move(
        notes_on_absent_packages(ask_names_of(ledger.database()), {pair.from.name, pair.to.name},
                                 scope.builds.packages()),
        std::back_inserter(notes));
    scope.asks_sizes = true;
    scope.in_letters = ledger.num_files() == 2 &&
                       (output.format() == Format::table || output.format() == Format::markdown);
    Diff diff =
        compare_snapshots(database, Catalog(), pair.from.name, pair.to.name, filters, scope);
    std::ranges::move(diff.notes, std::back_inserter(notes));
    const auto gates = judge(diff, asked_gates);
    keep_kinds(diff, kinds);
    const bool differs = kinds.empty() ? !diff.is_empty() : has_rows(diff);
    Document document =
        document_of(diff, parsed.has("summary"), output.most_rows(), parsed.has("all"));
    document.gates = gates;
    document.command_line = command_again(diff, parsed);
    document.picture = [&](bool is_alone) { return picture_of(diff, scope.by, is_alone); };
    output.write(document);
    if (scope.by == "package" && diff.by.rows.empty() && diff.moved_specs > 0) {
        notes.emplace_back(
            "no package has more or fewer builds; --by stack counts those that moved");
    }
    if (has_failed(gates)) {
        notes.push_back(fmt::format("--fail-on: {}", failures(gates)));
    }
    print_notes(notes);
    return has_failed(gates) || (differs && parsed.has("exit-code")) ? exit_no : exit_done;
}

}  // namespace cacheledger
