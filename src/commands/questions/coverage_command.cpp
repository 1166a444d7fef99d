#include <fmt/format.h>

#include <optional>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/render/document/asked_gate.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "src/commands/list/command.hpp"
#include "src/commands/questions/wanted.hpp"
#include "src/options/command_line/chosen_snapshots.hpp"
#include "src/options/command_line/notes.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/stopping/watch.hpp"

namespace cacheledger {

namespace {

constexpr const char* coverage_usage =
    "cacheledger coverage WANTED [options]\n\n"
    "How much of an environment a cache has, and the nearest builds to what is missing. WANTED is\n"
    "a lock file (spack.lock), an install database, the snapshot of one, or a list of specs: one\n"
    "in each line, or what 'spack concretize', 'spack spec' or 'spack find' prints; - for\n"
    "standard input. A spec of a lock file is there if the cache has its hash. A spec of a list "
    "is\n"
    "there if the cache has its hash, or a build that matches it. External specs are left out. "
    "The\n"
    "frontier is what can be built first: all that it needs is there.";

po::options_description coverage_options() {
    po::options_description options("options");
    options.add_options()("at", po::value<std::string>()->value_name("SNAPSHOT"),
                          "the snapshot of the cache; default latest")(
        "fail-under", po::value<std::string>()->value_name("PERCENT"),
        "exit with 1 if less than PERCENT of the specs needed to link and run, or of the lines of "
        "a list, are there. --format junit and github report it to CI");
    add_row_options(options);
    add_output_options(options, gate_formats);
    return options;
}

std::optional<double> read_percent(const ParsedOptions& parsed) {
    const auto text = parsed.text("fail-under");
    return text ? std::optional(read_fail_under(*text)) : std::nullopt;
}

Coverage cover(SQLite::Database& database, const Snapshot& snapshot, const std::string& text) {
    const WantedInput wanted = read_wanted(database, text);
    if (const auto* const list = std::get_if<WantedList>(&wanted)) {
        return cover_list(database, snapshot, list->name, list->specs);
    }
    return cover_graph(database, snapshot, std::get<WantedGraph>(wanted));
}

}  // namespace

CommandHelp coverage_help() {
    return {coverage_usage, coverage_options(), 1};
}

ExitStatus run_coverage(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, coverage_help());
    if (parsed.help) {
        return exit_done;
    }
    if (parsed.words.empty()) {
        throw UsageError(
            "coverage: expected a lock file, a snapshot or a list of specs; see cacheledger "
            "coverage --help");
    }
    const auto least = read_percent(parsed);
    const Output output(parsed, invocation.database, gate_formats, read_row_options(parsed));
    if (!output.more_format().empty() && !least) {
        throw UsageError(
            fmt::format("--format {} shows whether --fail-under holds: give a percentage",
                        output.more_format()));
    }
    SQLite::Database database = open_for_reading(invocation.database);
    const Watch watch(database);
    std::vector<std::string> notes;
    const Snapshot snapshot = choose_snapshot(database, parsed.text("at"), notes);
    const Coverage coverage = cover(database, snapshot, parsed.words[0]);
    const Document document = document_of(coverage, least);
    output.write(document);
    print_notes(notes);
    if (has_failed(document.gates)) {
        print_notes({document.gates.front().message});
        return exit_no;
    }
    return exit_done;
}

}  // namespace cacheledger
