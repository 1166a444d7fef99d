#include "schema/ledger/check/check.hpp"

#include <atomic>
#include <filesystem>
#include <iostream>
#include <optional>

#include "reports/render/formats/table_grid.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/ledger/file/database.hpp"
#include "src/commands/asked/pulled_file.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_problems = 20;  // of each kind

// One is enough where memory or open files are scarce.
std::optional<SQLite::Database> second_connection(const std::filesystem::path& file) {
    try {
        return open_for_reading(file, KeptLog::stays);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

// To the standard error, since the array of problems has a place for problems only.
void tell_times(const std::vector<StepTime>& times) {
    ResultTable table{{"step", "seconds"}, {}};
    for (const StepTime& time : times) {
        table.rows.push_back({time.step, time.seconds});
    }
    render_json(table, std::cerr);
}

}  // namespace

CommandHelp check_help() {
    CommandHelp help;
    help.usage =
        "cacheledger check [options]\n\n"
        "  cacheledger check\n\n"
        "Verifies the ledger: SQLite's own integrity, the schema, the foreign keys, every "
        "interval, and every text and count that follows from others. Exit code 1 if something is "
        "wrong. With --format json, standard error gets the seconds that each step took.";
    add_output_options(help.options);
    return help;
}

ExitStatus run_check(const Invocation& invocation, const ParsedOptions& parsed) {
    const Output output(parsed, invocation.database);
    const std::filesystem::path file = asked_file(invocation.database, invocation.ledger);
    SQLite::Database database = open_for_reading(file, KeptLog::stays);
    std::optional<SQLite::Database> other = second_connection(file);
    ProgressLine progress("checking the ledger, in steps");
    const Watch watch(database, progress);
    const std::atomic<bool> is_left = false;
    std::optional<Watch> other_watch;
    if (other) {
        other_watch.emplace(*other, is_left);
    }
    std::vector<StepTime> times;
    ResultTable table{{"problem"}, {}};
    for (std::string& problem : find_problems(
             database, most_problems,
             [&](std::size_t done, std::size_t all) { progress.count(done, all); },
             other ? &*other : nullptr, &times)) {
        table.rows.push_back({std::move(problem)});
    }
    if (output.format() == Format::json) {
        tell_times(times);
    }
    const bool sound = table.rows.empty();
    if (sound && output.format() == Format::table) {
        output.write([](std::ostream& out) { out << "ok\n"; });
    } else {
        output.write(table);
    }
    return sound ? exit_done : exit_no;
}

}  // namespace cacheledger
