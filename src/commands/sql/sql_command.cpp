#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_width = 100;

std::vector<SchemaPart> parts_called(const std::optional<std::string>& name) {
    std::vector<SchemaPart> parts = schema_parts();
    if (!name) {
        return parts;
    }
    std::vector<std::string> names;
    names.reserve(parts.size());
    for (const SchemaPart& part : parts) {
        names.push_back(part.name);
    }
    if (std::ranges::find(names, *name) == names.end()) {
        refuse_unknown("table or view", *name, names,
                       "to see all: " + command_hint({"sql", "--schema"}));
    }
    std::erase_if(parts, [&](const SchemaPart& part) { return part.name != *name; });
    return parts;
}

// "  a, b,\n  c": the columns in lines that fit.
std::string folded(const std::vector<std::string>& columns) {
    std::string text = " ";
    std::size_t width = 1;
    for (const std::string& column : columns) {
        const std::string word =
            fmt::format(" {}{}", column, &column == &columns.back() ? "" : ",");
        if (width + word.size() > most_width) {
            text += "\n ";
            width = 1;
        }
        text += word;
        width += word.size();
    }
    return text;
}

void print_text(const std::vector<SchemaPart>& parts, bool is_whole, std::ostream& out) {
    for (const SchemaPart& part : parts) {
        out << (&part == &parts.front() ? "" : "\n") << part.comment;
        if (part.type == "view" && !is_whole) {
            out << fmt::format("CREATE VIEW {} (\n{}\n) AS ...;\n", part.name,
                               folded(part.columns));
            continue;
        }
        out << part.sql << "\n";
        if (part.type == "view") {
            out << fmt::format("/* {}({}) */\n", part.name, fmt::join(part.columns, ","));
        }
    }
}

/// Prints what `sql` can ask: every view and table with its columns, the public views first; or
/// with a name, the SQL of that one. As a table of rows, if the format is for rows. Throws
/// UsageError, with the nearest names, for an unknown name.
void print_schema(const std::optional<std::string>& name, const Output& output) {
    const auto parts = parts_called(name);
    if (output.format() == Format::table) {
        output.write([&](std::ostream& out) { print_text(parts, name.has_value(), out); });
        return;
    }
    ResultTable table{{"name", "type", "columns", "about"}, {}};
    for (const SchemaPart& part : parts) {
        table.rows.push_back({part.name, part.type, fmt::format("{}", fmt::join(part.columns, ",")),
                              comment_words(part.comment)});
    }
    output.write(table, "Tables and views");
}

// A query with more texts than this is not about a few snapshots.
constexpr std::size_t most_texts = 100;

/// The texts in single or double quotes. SQLite treats double quotes as a text if no column has
/// that name.
std::set<std::string> quoted_texts(std::string_view sql) {
    std::set<std::string> texts;
    std::size_t at = 0;
    const auto skip_behind = [&](std::string_view end) {
        const auto found = sql.find(end, at);
        at = found == std::string_view::npos ? sql.size() : found + end.size();
    };
    while (at < sql.size() && texts.size() < most_texts) {
        const char quote = sql[at];
        if (sql.substr(at).starts_with("--")) {
            skip_behind("\n");
        } else if (sql.substr(at).starts_with("/*")) {
            skip_behind("*/");
        } else if (quote == '\'' || quote == '"') {
            const std::size_t begin = ++at;
            skip_behind(std::string_view(&quote, 1));
            texts.emplace(sql.substr(begin, at - 1 - begin));
        } else {
            ++at;
        }
    }
    return texts;
}

/// Whether the answer has no rows, or one row of only NULL and 0: the sums and counts of no rows.
bool is_empty(const ResultTable& answer) {
    const auto is_nothing = [](const Value& value) {
        return is_null(value) || value == Value(std::int64_t{0}) || value == Value(0.0);
    };
    return !answer.is_cut &&
           (answer.rows.empty() ||
            (answer.rows.size() == 1 && std::ranges::all_of(answer.rows.front(), is_nothing)));
}

/// The name of the snapshot that the text means, or the text itself if it means none.
std::string name_of_snapshot(SQLite::Database& database, const std::string& text) {
    try {
        return find_snapshot(database, text).name;
    } catch (const UsageError&) {
        return text;
    }
}

bool is_tag_or_series(SQLite::Database& database, const std::string& text) {
    return first_value<bool>(database,
                             "SELECT 1 FROM snapshot WHERE tag = ?1 UNION ALL SELECT 1 FROM series "
                             "WHERE name = ?1",
                             text)
        .has_value();
}

/// The error of a query with the tables, views or columns behind it that the user most likely meant
/// by one that is not there, or the option that is missing: "query:1:8: no such column: pakage; did
/// you mean 'package'?".
std::string with_nearest_names(const std::string& problem) {
    constexpr std::string_view no_value = "no value is given for the parameter :";
    if (const auto at = problem.find(no_value); at != std::string::npos) {
        const std::string name = problem.substr(at + no_value.size());
        const bool is_snapshot = name == "at" || name == "from" || name == "to";
        return fmt::format("{}: {}", problem,
                           is_snapshot ? fmt::format("--{} SNAPSHOT gives it", name)
                                       : fmt::format("--param {}=VALUE gives it", name));
    }
    const std::size_t end = problem.find("no such ");
    const std::size_t colon = problem.find(": ", std::min(end, problem.size()));
    if (colon == std::string::npos) {
        return problem;
    }
    std::string typed = problem.substr(colon + 2);
    typed.erase(0, typed.rfind('.') + 1);  // the table of a column
    std::set<std::string> names;
    for (const SchemaPart& part : schema_parts()) {
        if (problem.compare(end, colon - end, "no such table") == 0) {
            names.insert(part.name);
        } else {
            names.insert(part.columns.begin(), part.columns.end());
        }
    }
    if (names.contains(typed)) {  // of another schema: main.latest_specs
        return problem;
    }
    const auto near = nearest_names(typed, {names.begin(), names.end()});
    return near.empty() ? problem
                        : fmt::format("{}; did you mean '{}'?", problem, fmt::join(near, "', '"));
}

/// Notes on texts that the user may have meant as a snapshot, but that are not its name: `latest`,
/// a cut moment, a tag, or another text that find_snapshot() resolves to a snapshot of another
/// name. sql compares names as they are, so such a text matches nothing. Bound values are always
/// checked, except that a tag or series counts only if the answer is empty, because it may be
/// meant. Texts in the query are checked only if the answer is empty.
std::vector<std::string> notes_on_snapshots(SQLite::Database& database, const std::string& sql,
                                            const Arguments& arguments, const ResultTable& answer) {
    const bool is_silent = is_empty(answer);
    std::set<std::string> texts = is_silent ? quoted_texts(sql) : std::set<std::string>();
    std::vector<std::string> notes;
    try {
        for (const auto& [name, value] : arguments) {
            const auto* const text = std::get_if<std::string>(&value);
            if (text != nullptr && (is_silent || !is_tag_or_series(database, *text))) {
                texts.insert(*text);
            }
        }
        for (const std::string& text : texts) {
            const std::string name = name_of_snapshot(database, text);
            if (name != text) {
                notes.push_back(fmt::format(
                    "'{}' is not the name of a snapshot; its name is {}; sql takes names as they "
                    "are",
                    text, name));
            }
        }
    } catch (const std::exception&) {  // interrupted; the answer is already printed
        notes.clear();
    }
    return notes;
}

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
    options.add_options()("file", once("FILE", Offer::files), "read the query from a file")(
        "at", once("SNAPSHOT", Offer::snapshots), "the value of :at, such as latest or develop~1")(
        "from", once("SNAPSHOT", Offer::snapshots), "the value of :from")(
        "to", once("SNAPSHOT", Offer::snapshots), "the value of :to")(
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

ExitStatus run_sql(const Invocation& invocation, const ParsedOptions& parsed) {
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
