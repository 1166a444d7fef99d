#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "reports/engine/query/run_query.hpp"
#include "schema/errors/error.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/commands/sql/sql_notes.hpp"
#include "src/commands/sql/sql_schema.hpp"
#include "src/options/command_line/chosen_snapshots.hpp"
#include "src/options/command_line/notes.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/stopping/hard_stop.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace {

constexpr const char* sql_usage =
    "cacheledger sql QUERY [options]\n"
    "       cacheledger sql - [options]            (the query is on standard input)\n"
    "       cacheledger sql --file FILE [options]\n"
    "       cacheledger sql --schema [NAME]        (the views and tables)\n"
    "\n"
    "  cacheledger sql 'SELECT package, count(*) FROM latest_specs GROUP BY package'\n"
    "  cacheledger sql 'SELECT * FROM specs WHERE snapshot = :at' --at develop\n"
    "  cacheledger sql --schema specs\n"
    "\n"
    "Runs one query, which can only read. The views are snapshots, specs, latest_specs, "
    "spec_stacks,\n"
    "spec_variants, changes, dependencies, roots, pages, findings, looks, spec_drift and "
    "stack_drift.\n"
    "--at, --from and --to set :at, :from and :to to the full name of a snapshot.";

struct Query {
    std::string origin;
    std::string text;
};

Query read_query(const ParsedOptions& parsed) {
    const auto file = parsed.text("file");
    if (file.has_value() != parsed.words.empty()) {
        throw UsageError(
            "sql: expected one of a query, - and --file FILE; see cacheledger sql --help");
    }
    if (!file && parsed.words[0] != "-") {
        return {"query", parsed.words[0]};
    }
    if (!file) {
        return {"standard input", std::string(std::istreambuf_iterator<char>(std::cin), {})};
    }
    std::ifstream stream(*file, std::ios::binary);
    std::ostringstream text;
    if (!stream || std::filesystem::is_directory(*file) || !(text << stream.rdbuf())) {
        throw UsageError(fmt::format("{}: can't be read", *file));
    }
    return {*file, text.str()};
}

constexpr std::array snapshot_options = {"at", "from", "to"};

Arguments read_params(const ParsedOptions& parsed) {
    Arguments arguments;
    for (const auto& [name, value] : given_params(parsed)) {
        arguments[name] = guess_value(value);
    }
    for (const char* const name : snapshot_options) {
        if (parsed.has(name) && arguments.contains(name)) {
            throw UsageError(fmt::format("--{0} and --param {0}=... are the same; give one", name));
        }
    }
    return arguments;
}

void add_snapshots(Arguments& arguments, SQLite::Database& database, const ParsedOptions& parsed,
                   std::vector<std::string>& notes) {
    for (const char* const name : snapshot_options) {
        if (const auto text = parsed.text(name)) {
            arguments[name] = choose_snapshot(database, text, notes).name;
        }
    }
}

}  // namespace

CommandHelp sql_help() {
    CommandHelp help{sql_usage, {}, 1};
    po::options_description& options = help.options;
    options.add_options()("file", po::value<std::string>()->value_name("FILE"),
                          "read the query from a file")(
        "at", po::value<std::string>()->value_name("SNAPSHOT"),
        "the value of :at, such as latest or develop~1")(
        "from", po::value<std::string>()->value_name("SNAPSHOT"), "the value of :from")(
        "to", po::value<std::string>()->value_name("SNAPSHOT"), "the value of :to")(
        "schema",
        "print the views and tables with their columns, public views first; with a NAME the SQL "
        "of that one");
    add_limit_option(
        options,
        "print only the first ROWS rows; a message on standard error says if there are "
        "more; 0: all, as without it");
    add_timeout_option(options);
    add_param_option(options);
    add_output_options(options);
    return help;
}

ExitStatus run_sql(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, sql_help());
    if (parsed.help) {
        return exit_done;
    }
    const Output output(parsed, invocation.database);
    if (parsed.has("schema")) {
        if (parsed.has("file")) {
            throw UsageError("sql: --schema takes the name of a view or table, not --file");
        }
        print_schema(parsed.words.empty() ? std::nullopt : std::optional(parsed.words[0]), output);
        return exit_done;
    }
    const auto timeout = read_timeout(parsed);
    const std::size_t most_rows = read_limit(parsed).value_or(all_rows);
    const Query query = read_query(parsed);
    stop_if_interrupted();  // standard input may be incomplete
    Arguments arguments = read_params(parsed);
    AskedLedger ledger(invocation.database, invocation.ledger, {}, timeout);
    SQLite::Database& database = ledger.database();
    std::vector<std::string> notes;
    add_snapshots(arguments, database, parsed, notes);
    try {
        std::optional<HardStop> hard_stop(std::in_place, timeout,
                                          ledger.watch().problem(query.origin));
        const ResultTable table =
            run_query(database, query.origin, query.text, arguments, most_rows);
        hard_stop.reset();
        output.write(table);
        if (table.is_cut) {
            std::cerr << fmt::format("cacheledger: there are more rows than these {} (--limit)\n",
                                     most_rows);
        }
        print_notes(notes);
        print_notes(notes_on_snapshots(database, query.text, arguments, table));
    } catch (const Interrupted&) {
        ledger.watch().explain(query.origin);
        throw;
    } catch (const UsageError& error) {
        throw UsageError(with_nearest_names(error.what()));
    }
    return exit_done;
}

}  // namespace cacheledger
