#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "reports/catalog/catalog.hpp"
#include "reports/catalog/known_names.hpp"
#include "reports/diff/diff.hpp"
#include "reports/diff/diff_renderer.hpp"
#include "schema/basics/error.hpp"
#include "schema/ledger/database.hpp"
#include "schema/names/nearest.hpp"
#include "src/commands/command.hpp"
#include "src/options/chosen_snapshots.hpp"
#include "src/options/notes.hpp"
#include "src/options/options.hpp"
#include "src/options/parameters.hpp"
#include "src/output/output.hpp"
#include "src/stopping/watch.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t rows_shown = 20;

constexpr const char* diff_usage =
    "cacheledger diff [A] [B] [options]\n\n"
    "Shows what changed from snapshot A to snapshot B: a summary, the causes of added and removed\n"
    "specs, and the changes by kind. A and B can be of different series (v0.21.0 and develop).\n"
    "'diff A' is what A changed: from A~1 to A. 'diff' is the newest change: of the newest series\n"
    "with two snapshots. What changed in a week: cacheledger diff 'develop@{1 week ago}' develop";

po::options_description diff_options() {
    po::options_description options("options");
    options.add_options()("kind", po::value<std::string>()->value_name("KIND"),
                          "only changes of this kind, such as version-added")(
        "package", po::value<std::string>()->value_name("GLOB"),
        "only packages that match, such as 'py-*'")(
        "stack", po::value<std::string>()->value_name("GLOB"),
        "compare only specs in stacks that match; a spec that joins these stacks counts as added, "
        "one that leaves them as removed. '(no stack)': specs in no stack")("all", "show all rows")(
        "exit-code",
        "exit with 1 if there are changes, after --kind, --package and "
        "--stack");
    add_output_options(options);
    return options;
}

// Keeps only the rows of one kind. The summary and the causes stay complete.
void keep_kind(Diff& diff, const std::string& kind) {
    for (DiffSection& section : diff.sections) {
        std::erase_if(section.table.rows,
                      [&](const auto& row) { return std::get<std::string>(row[0]) != kind; });
    }
}

void refuse_unknown_kind(const std::string& kind) {
    const auto kinds = change_kinds();
    if (std::ranges::find(kinds, kind) == kinds.end()) {
        refuse_unknown("kind of change", kind, kinds,
                       fmt::format("there are: {}", fmt::join(kinds, ", ")));
    }
}

// A note for each pattern that matches nothing.
std::vector<std::string> check_filters(SQLite::Database& database, const ParsedOptions& parsed) {
    std::vector<std::string> notes;
    for (const auto& [option, names] :
         {std::pair("package", NameKind::package), std::pair("stack", NameKind::stack)}) {
        if (const auto pattern = parsed.text(option)) {
            if (auto note = check_pattern(database, names, *pattern)) {
                notes.push_back(std::move(*note));
            }
        }
    }
    return notes;
}

bool has_rows(const Diff& diff) {
    return std::any_of(diff.sections.begin(), diff.sections.end(),
                       [](const DiffSection& section) { return !section.table.rows.empty(); });
}

void print(const Diff& diff, const Output& output, bool all) {
    switch (output.format()) {
        case Format::table: {
            const std::size_t most = all ? std::numeric_limits<std::size_t>::max() : rows_shown;
            output.write(
                [&](std::ostream& out) { render_diff_text(diff, output.style(), most, out); });
            break;
        }
        case Format::json:
            output.write([&](std::ostream& out) { render_diff_json(diff, out); });
            break;
        case Format::markdown:
            output.write([&](std::ostream& out) { render_diff_markdown(diff, out); });
            break;
        default:
            output.write(all_changes(diff), fmt::format("{} -> {}", diff.from, diff.to));
            // The other formats have these remarks.
            print_notes(unobserved_remarks(diff.unobserved));
    }
}

}  // namespace

ExitStatus run_diff(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, diff_options(), 2, diff_usage);
    if (parsed.help) {
        return exit_done;
    }
    const auto kind = parsed.text("kind");
    if (kind) {
        refuse_unknown_kind(*kind);
    }
    const Output output(parsed, invocation.database);
    Arguments filters = {{"package", parsed.text("package").value_or("*")}};
    filters["stack"] = parsed.has("stack") ? Value(*parsed.text("stack")) : Value();

    SQLite::Database database = open_for_reading(invocation.database);
    const Watch watch(database);
    auto notes = check_filters(database, parsed);
    const SnapshotPair pair = choose_pair(database, parsed.words, notes);
    Diff diff = compare_snapshots(database, Catalog(), pair.from.name, pair.to.name, filters);
    bool differs = !diff.is_empty();
    if (kind) {
        keep_kind(diff, *kind);
        differs = has_rows(diff);
    }
    print(diff, output, parsed.has("all"));
    print_notes(notes);
    return differs && parsed.has("exit-code") ? exit_no : exit_done;
}

}  // namespace cacheledger
