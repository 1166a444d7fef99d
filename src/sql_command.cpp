#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "reports/runner.hpp"
#include "schema/database.hpp"
#include "schema/error.hpp"
#include "src/command.hpp"
#include "src/options.hpp"
#include "src/output.hpp"
#include "src/parameters.hpp"

namespace cacheledger {

namespace {

constexpr const char* usage =
    "cacheledger sql QUERY [options]\n"
    "       cacheledger sql - [options]            (the query is on standard input)\n"
    "       cacheledger sql --file FILE [options]\n\n"
    "Runs one query of your own. The database is opened read-only. What there is to ask: the "
    "views\n"
    "snapshots, specs, spec_stacks, spec_variants, changes, pages, findings, looks and spec_drift.";

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

}  // namespace

ExitStatus run_sql(const Invocation& invocation) {
    po::options_description options("options");
    options.add_options()("file", po::value<std::string>()->value_name("FILE"),
                          "read the query from a file");
    add_param_option(options);
    add_output_options(options);
    const ParsedOptions parsed = parse_options(invocation.arguments, options, 1, usage);
    if (parsed.help) {
        return exit_done;
    }
    const Output output(parsed, invocation.database);
    const Query query = read_query(parsed);
    Arguments arguments;
    for (const auto& [name, value] : given_params(parsed)) {
        arguments[name] = guess_value(value);
    }
    SQLite::Database database = open_for_reading(invocation.database);
    output.write(run_query(database, query.origin, query.text, arguments));
    return exit_done;
}

}  // namespace cacheledger
