#include <array>
#include <string_view>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/questions/history/history.hpp"
#include "reports/render/document/document.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/text/number.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/options/filters/look_filter_options.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

constexpr std::array history_formats = {Format::atom};

constexpr const char* history_usage =
    "cacheledger history [SPEC] [options]\n\n"
    "  cacheledger history kokkos\n"
    "  cacheledger history '%gcc@11'\n"
    "  cacheledger history --stack e4s\n\n"
    "Shows what became of builds: a line for each snapshot of a series at which builds that match\n"
    "SPEC came or went, from old to new. For a package, each line says why builds came and went,\n"
    "as diff does: new versions, rebuilt ones, stacks joined and left. A SPEC may be without a\n"
    "package (%gcc@11, target=zen3). Of such a SPEC, and of a stack, each line says how many\n"
    "builds there are, how many came and went, and of which packages. Of a hash (/abc2345), the\n"
    "command shows where the build was first and last seen, in all series.\n\n"
    "Of a stack, a line also says when the stack was born, renamed or switched off, and which\n"
    "packages, compilers and targets came and went.\n\n"
    "Where a package repository was ingested, the commits that touched the recipe of a package\n"
    "are lines, too. Of a stack, it says which wishes of its list were met, and which were "
    "lost.\n\n"
    "--format atom writes a feed of the newest hundred events, to be read where news are read.\n\n"
    "Exit code 1: no build matches in the series asked.";

/// The series that is asked; nullopt for all.
std::optional<std::string> read_series(SQLite::Database& database, const ParsedOptions& parsed,
                                       const SpecQuery& query, std::vector<std::string>& notes) {
    auto series = parsed.text("series");
    const auto at = parsed.text("at");
    if (series && at) {
        throw UsageError("history: expected one of --series and --at");
    }
    if (series) {
        refuse_unknown_name(database, NameKind::series, *series);
        return series;
    }
    if (!at && asks_only_hash(query)) {
        return std::nullopt;
    }
    const Snapshot snapshot = choose_snapshot(database, at, notes);
    return series_of_tag(snapshot.tag);
}

}  // namespace

CommandHelp history_help() {
    CommandHelp help{history_usage, {}, any_number};
    po::options_description& options = help.options;
    options.add_options()(
        "series", once("SERIES", NameKind::series),
        "the series; default: that of the newest snapshot; for a hash: all series")(
        "at", once("SNAPSHOT", Offer::snapshots), "the series of this snapshot")(
        "stack", once("NAME", NameKind::stack),
        "only builds in the stacks that match, a name or a pattern; a build that joins them came, "
        "one that leaves them went. Without SPEC all builds of these stacks")(
        "limit", once("EVENTS"), "show only the newest EVENTS events of each series");
    add_output_options(options, history_formats);
    return help;
}

ExitStatus run_history(const Invocation& invocation, const ParsedOptions& parsed) {
    AskedHistory asked;
    asked.stack = parsed.text("stack");
    if (parsed.words.empty() && !asked.stack) {
        throw UsageError(
            "history: expected a spec, or a stack (--stack); see cacheledger history --help");
    }
    if (!parsed.words.empty()) {
        asked.typed = parsed.joined_words();
        asked.query = read_asked_spec(asked.typed);
    }
    asked.most = read_limit(parsed).value_or(all_rows);
    const Output output(parsed, invocation.database, history_formats);
    AskedLedger ledger(invocation.database, invocation.ledger);
    SQLite::Database& database = ledger.database();
    std::vector<std::string> notes;
    if (asked.stack) {
        if (const auto note = check_pattern(database, NameKind::stack, *asked.stack)) {
            notes.push_back(*note);
        }
    }
    asked.place = parsed.text("series").value_or(parsed.text("at").value_or(""));
    asked.series = read_series(database, parsed, asked.query, notes);
    const SpecHistory history = find_history(database, Catalog(), asked);
    if (output.format() == Format::atom) {
        output.write([&](std::ostream& out) { write_atom(feed_of(history), out); });
    } else {
        output.write(document_of(history));
    }
    print_notes(notes);
    return history.events.empty() && history.left_out == 0 ? exit_no : exit_done;
}

}  // namespace cacheledger
