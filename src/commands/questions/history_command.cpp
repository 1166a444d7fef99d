#include <fmt/format.h>

#include <limits>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/catalog/known_names.hpp"
#include "reports/questions/history/spec_history.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/text/number.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/chosen_snapshots.hpp"
#include "src/options/command_line/notes.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/options/filters/spec_arguments.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

constexpr const char* history_usage =
    "cacheledger history SPEC [options]\n\n"
    "What became of a package, or of one build: a line for each snapshot of a series at which\n"
    "builds that match SPEC came, went, were rebuilt, or joined or left stacks, from old to new.\n"
    "The causes are those of diff. For a hash: where it was first and last seen, in all series.\n"
    "Exit code 1: no build matches in the series asked.\n\n"
    "  cacheledger history kokkos\n"
    "  cacheledger history hdf5@1.14: +mpi --series 'develop-*'\n"
    "  cacheledger history /abc2345";

po::options_description history_options() {
    po::options_description options("options");
    options.add_options()(
        "series", po::value<std::string>()->value_name("SERIES"),
        "the series; default: that of the newest snapshot; for a hash: all series")(
        "at", po::value<std::string>()->value_name("SNAPSHOT"), "the series of this snapshot")(
        "limit", po::value<std::string>()->value_name("EVENTS"),
        "show only the newest EVENTS events of each series");
    add_output_options(options);
    return options;
}

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
    return {history_usage, history_options(), any_number};
}

ExitStatus run_history(const Invocation& invocation) {
    const ParsedOptions parsed =
        parse_spec_arguments("history", invocation.arguments, history_help());
    if (parsed.help) {
        return exit_done;
    }
    if (parsed.words.empty()) {
        throw UsageError("history: expected a spec; see cacheledger history --help");
    }
    const std::size_t most = read_limit(parsed).value_or(std::numeric_limits<std::size_t>::max());
    const SpecQuery query = read_asked_spec(parsed.joined_words());
    const Output output(parsed, invocation.database);
    AskedLedger ledger(invocation.database, invocation.ledger);
    SQLite::Database& database = ledger.database();
    ledger.need_specs(query);
    std::vector<std::string> notes;
    const SpecHistory history =
        find_history(database, Catalog(), query, read_series(database, parsed, query, notes), most);
    output.write(document_of(history));
    print_notes(notes);
    return history.events.empty() && history.left_out == 0 ? exit_no : exit_done;
}

}  // namespace cacheledger
