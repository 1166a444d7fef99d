#include <fmt/format.h>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/questions/specs/found_specs.hpp"
#include "reports/questions/timeline/timeline.hpp"
#include "schema/errors/error.hpp"
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

constexpr const char* specs_usage =
    "cacheledger specs [SPEC] [options]\n\n"
    "  cacheledger specs hdf5@1.14: +mpi ~ipo target=x86_64_v3 %gcc@13\n"
    "  cacheledger specs hdf5 --stack e4s --at yesterday\n"
    "  cacheledger specs /abc2345\n"
    "  cacheledger specs hdf5@1.14: --series '*'\n"
    "  cacheledger specs hdf5 --differences\n\n"
    "Lists the builds of a snapshot that match a Spack spec, the newest versions first; without\n"
    "SPEC all builds. SPEC is written as in Spack: a package, @version, +variant, ~variant,\n"
    "name=value, %compiler, os=, platform=, target=, and /hash or the beginning of one. What is\n"
    "the same in all rows of a table stands above it. If no build matches, the command shows the\n"
    "nearest ones, and the exit code is 1. External specs, which lock files list, are shown as "
    "such\n"
    "and are no builds. The package can be a pattern, such as 'py-*'. A "
    "package\n"
    "that the ledger has never seen is an unknown name: exit code 2.";

/// SPEC may begin with a pattern for names of packages: "py-*", "py-*@1.2 +mpi".
void read_asked(const std::string& text, AskedSpecs& asked) {
    const std::size_t end = end_of_package_pattern(text);
    const std::string name = text.substr(0, end);
    if (name.find_first_of("*?[") == std::string::npos) {
        asked.query = read_asked_spec(text);
        asked.typed = text;
        return;
    }
    asked.packages = name;
    if (const std::string rest = text.substr(end); !rest.empty()) {
        asked.query = read_asked_spec(rest);
        asked.typed = rest;
    }
}

ExitStatus write_where_used(const Invocation& invocation, const ParsedOptions& parsed,
                            const AskedSpecs& asked, const std::string& series,
                            const Output& output) {
    if (asked.query == SpecQuery() || asked.packages != "*" || parsed.has("at") ||
        parsed.has("stack")) {
        throw UsageError(
            "specs: --series takes a spec that begins with a package or is a hash, and no --at or "
            "--stack");
    }
    AskedLedger ledger(invocation.database, invocation.ledger);
    const WhereUsed used = where_used(ledger.database(), asked.query, series);
    output.write(document_of(used));
    print_notes(ledger.notes());
    return used.series.empty() ? exit_no : exit_done;
}

}  // namespace

CommandHelp specs_help() {
    CommandHelp help{specs_usage, {}, any_number};
    po::options_description& options = help.options;
    options.add_options()("at", repeated("SNAPSHOT", Offer::snapshots),
                          "the snapshot, or a file that 'ingest' reads; default latest. Several "
                          "--at: which of them has each build")(
        "stack", once("NAME", NameKind::stack),
        "only builds in the stacks that match: a name or a pattern")(
        "series", once("SERIES", NameKind::series),
        "instead of builds: which series that match a pattern, such as '*', have such builds, or "
        "had "
        "them")("differences",
                "instead of builds: which of them look the same, and what tells these apart, to "
                "the first dependency that differs")(
        "limit", once("ROWS"), "show at most ROWS builds; default: 20 in a table, else all");
    add_output_options(options);
    return help;
}

ExitStatus run_specs(const Invocation& invocation, const ParsedOptions& parsed) {
    const Output output(parsed, invocation.database, {}, read_limit(parsed));
    AskedSpecs asked;
    asked.is_for_table = output.format() == Format::table;
    asked.most = output.most_rows();
    asked.stack = parsed.text("stack");
    if (!parsed.words.empty()) {
        read_asked(parsed.joined_words(), asked);
    }
    const bool asks_differences = parsed.has("differences");
    if (asks_differences && parsed.has("series")) {
        throw UsageError("specs: expected one of --series and --differences");
    }
    if (const auto series = parsed.text("series")) {
        return write_where_used(invocation, parsed, asked, *series, output);
    }
    AskedLedger ledger(invocation.database, invocation.ledger, typed_at(parsed));
    SQLite::Database& database = ledger.database();
    auto notes = ledger.notes();
    const std::vector<Snapshot> caches =
        choose_snapshots(database, ledger.names(parsed.texts("at")), notes);
    if (const auto note = check_pattern(database, NameKind::package, asked.packages)) {
        notes.push_back(*note);
    }
    if (asked.stack) {
        if (const auto note = check_pattern(database, NameKind::stack, *asked.stack)) {
            notes.push_back(*note);
        }
    }
    if (asks_differences) {
        asked.most = all_rows;
        asked.is_for_table = false;
    }
    FoundSpecs found = find_specs(database, caches, asked);
    output.write(asks_differences && found.num_builds() > 0
                     ? document_of_alike(database, found, output.most_rows())
                     : document_of(found));
    print_notes(notes);
    return found.num_builds() > 0 ? exit_done : exit_no;
}

}  // namespace cacheledger
