#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

namespace {

constexpr const char* snapshots_usage =
    "cacheledger snapshots [options]\n\n"
    "Lists the snapshots by series, from old to new. With --max-age, also tells whether ingest "
    "still\n"
    "runs: the exit code is 1 if a series was not checked for so long. A run of ingest checks a "
    "series\n"
    "also if nothing has changed. --format json and csv give the moment, as checked_at.\n"
    "With --expect, lists what should be there instead of the snapshots, and the exit code is 1 "
    "if\n"
    "something is missing or late. An age is counted from the moment at which the newest snapshot "
    "of\n"
    "that name was taken. One that is dated more than a day in the future has no age.\n\n"
    "  cacheledger snapshots --series 'develop*' --limit 5\n"
    "  cacheledger snapshots --since '1 month ago'\n"
    "  cacheledger snapshots --max-age 2d\n"
    "  cacheledger snapshots --expect 'develop-*=4d' --expect 'v*'";

constexpr const char* select_listed =
    "SELECT name, tag, series, taken_at, packages, specs, extent, kind, source, checked_at "
    "FROM snapshots WHERE (series = :series OR series GLOB :series) AND taken_at >= :since "
    "ORDER BY series, taken_at";

// GLOB takes '[' for a pattern, which a name can have.
constexpr const char* select_expected =
    "SELECT name, series, taken_at FROM snapshots "
    "WHERE (?1 IN (name, tag, series) OR name GLOB ?1 OR tag GLOB ?1 OR series GLOB ?1) "
    "AND (series = ?2 OR series GLOB ?2) AND taken_at <= ?3 "
    "ORDER BY taken_at DESC, name LIMIT 1";

/// How far behind the clock here may be, in seconds.
constexpr Moment most_ahead = Moment{24} * 60 * 60;

constexpr const char* select_series =
    "SELECT name, strftime('%Y-%m-%dT%H:%M:%SZ', checked_at, 'unixepoch') FROM series "
    "WHERE (name = :series OR name GLOB :series) AND ifnull(checked_at, -1e12) < :least "
    "ORDER BY name";

constexpr const char* an_age = "an age such as 12h, 2d, 1w or '3 months'";

/// A moment that an option gives. `read`: parse_past() or parse_age().
template <typename Read>
std::optional<Moment> read_moment(const ParsedOptions& parsed, const char* option, Read read,
                                  const char* expected) {
    const auto text = parsed.text(option);
    if (!text) {
        return std::nullopt;
    }
    const auto moment = read(*text, now());
    if (!moment) {
        throw UsageError(fmt::format("--{} '{}': expected {}", option, *text, expected));
    }
    return moment;
}

/// Keeps the newest snapshots, in their order.
void keep_newest_snapshots(ResultTable& table, std::size_t most) {
    if (table.rows.size() <= most) {
        return;
    }
    const std::size_t taken_at = column_of(table, "taken_at");
    std::vector<std::string> moments;
    for (const auto& row : table.rows) {
        moments.push_back(to_text(row[taken_at]));
    }
    std::ranges::sort(moments, std::greater<>());
    std::size_t of_last = static_cast<std::size_t>(std::count(
        moments.begin(), moments.begin() + static_cast<std::ptrdiff_t>(most), moments[most - 1]));
    table.rows_left_out = table.rows.size() - most;
    std::erase_if(table.rows, [&](const auto& row) {
        const std::string moment = to_text(row[taken_at]);
        return moment < moments[most - 1] || (moment == moments[most - 1] && of_last-- == 0);
    });
}

/// What is wrong: a line for each series that was not checked since then.
std::vector<std::string> find_unchecked(SQLite::Database& database, const std::string& series,
                                        Moment least) {
    constexpr const char* select_any =
        "SELECT name FROM snapshots WHERE series = ?1 OR series GLOB ?1 LIMIT 1";
    if (!first_value<std::string>(database, select_any, series)) {
        return {"--max-age: there is no snapshot"};
    }
    std::vector<std::string> lines;
    for (const auto& [name, checked_at] :
         rows<std::string, std::optional<std::string>>(database, select_series, series, least)) {
        lines.push_back(
            checked_at ? fmt::format("--max-age: too old: ingest last checked the series {} at {}",
                                     name, *checked_at)
                       : fmt::format("--max-age: no run of ingest checked the series {}", name));
    }
    return lines;
}

void write_listed(const Output& output, SQLite::Database& database, const std::string& series,
                  Moment since, std::size_t most, std::vector<std::string>& notes) {
    ResultTable table = run_query(database, "snapshots", select_listed,
                                  {{"series", series}, {"since", format_moment(since)}});
    keep_newest_snapshots(table, most);
    table.implied = {"tag", "series", "taken_at"};
    if (output.format() == Format::table) {  // the same in all rows of a series
        for (auto& row : table.rows) {
            row.pop_back();
        }
        table.columns.pop_back();
    } else if (table.rows_left_out > 0) {
        notes.push_back(fmt::format("{} (--limit)", count_kept(table)));
    }
    output.write(table);
}

/// What --expect asks for.
struct Expectation {
    std::string text;                    ///< as it was given
    std::string pattern;                 ///< of the name of a snapshot, a tag or a series
    std::optional<std::string> max_age;  ///< as it was given
    Moment least = first_moment;         ///< at which the newest snapshot may have been taken
};

std::vector<Expectation> read_expected(const ParsedOptions& parsed) {
    std::vector<Expectation> all;
    for (const std::string& text : parsed.texts("expect")) {
        const std::size_t equals = text.rfind('=');
        Expectation one{text, text.substr(0, equals), std::nullopt};
        if (equals != std::string::npos) {
            one.max_age = text.substr(equals + 1);
            const auto least = parse_age(*one.max_age, now());
            if (!least) {
                throw UsageError(
                    fmt::format("--expect '{}': expected {} behind '='", text, an_age));
            }
            one.least = *least;
        }
        if (one.pattern.empty()) {
            throw UsageError(fmt::format(
                "--expect '{}': expected a name or a pattern, or one as in 'develop-*=4d'", text));
        }
        all.push_back(std::move(one));
    }
    if (!all.empty() && (parsed.has("since") || parsed.has("limit"))) {
        throw UsageError(
            "--expect lists what should be there: it goes without --since and --limit");
    }
    return all;
}

/// A row for each expectation. Adds a sentence to `problems` for each that is not met.
ResultTable table_of_expected(SQLite::Database& database, const std::vector<Expectation>& expected,
                              const std::string& series, std::vector<std::string>& problems) {
    const Select<std::string, std::string, std::string> newest(database, select_expected);
    const std::string latest = format_moment(now() + most_ahead);
    ResultTable table{{"expected", "max_age", "state", "newest", "series", "taken_at"}, {}};
    for (const Expectation& one : expected) {
        const Value max_age = one.max_age ? Value(*one.max_age) : Value();
        auto found = newest(one.pattern, series, format_moment(last_moment)).first();
        if (!found) {
            table.rows.push_back({one.pattern, max_age, "missing", Value(), Value(), Value()});
            problems.push_back(
                fmt::format("--expect '{}': missing: there is no such snapshot", one.text));
            continue;
        }
        const std::string least = format_moment(one.least);
        const bool is_ahead = one.max_age && std::get<2>(*found) > latest;
        if (is_ahead) {
            const auto before = newest(one.pattern, series, latest).first();
            found = before && std::get<2>(*before) >= least ? before : found;
        }
        const auto& [name, series_of_it, taken_at] = *found;
        const bool is_future = is_ahead && taken_at > latest;
        const char* const state = is_future ? "future" : taken_at < least ? "late" : "there";
        table.rows.push_back({one.pattern, max_age, state, name, series_of_it, taken_at});
        if (is_future) {
            problems.push_back(
                fmt::format("--expect '{}': the newest one, {}, is dated in the future: {}",
                            one.text, name, taken_at));
        } else if (taken_at < least) {
            problems.push_back(
                fmt::format("--expect '{}': late: the newest one, {}, was taken at {}", one.text,
                            name, taken_at));
        }
    }
    return table;
}

}  // namespace

CommandHelp snapshots_help() {
    CommandHelp help;
    help.usage = snapshots_usage;
    help.options.add_options()("series", once("SERIES", NameKind::series),
                               "only this series: a name or a pattern")(
        "since", once("TIME"),
        "only snapshots taken since then: 2025-03-30, yesterday, '2 weeks ago'")(
        "max-age", once("AGE"),
        "exit with 1 if ingest did not check a series for longer: 12h, 2d, 1w, '3 months'")(
        "expect", repeated("NAME[=AGE]", NameKind::series),
        "exit with 1 if there is no such snapshot, or none as young; NAME: a name or a pattern of "
        "snapshots, tags or series; can be given several times");
    add_limit_option(help.options, "list only the newest ROWS snapshots; 0: all, as without it");
    add_output_options(help.options);
    return help;
}

ExitStatus run_snapshots(const Invocation& invocation, const ParsedOptions& parsed) {
    const auto since = read_moment(parsed, "since", parse_past,
                                   "a time such as 2025-03-30, yesterday or '2 weeks ago'");
    const auto least = read_moment(parsed, "max-age", parse_age, an_age);
    const std::vector<Expectation> expected = read_expected(parsed);
    const std::size_t most = read_limit(parsed).value_or(all_rows);
    const std::string series = parsed.text("series").value_or("*");
    const Output output(parsed, invocation.database);
    AskedLedger ledger(invocation.database, invocation.ledger);
    std::vector<std::string> notes;
    if (parsed.has("series")) {
        if (auto note = check_pattern(ledger.database(), NameKind::series, series)) {
            notes.push_back(std::move(*note));
        }
    }
    std::vector<std::string> problems;
    if (least) {
        problems = find_unchecked(ledger.database(), series, *least);
    }
    if (!expected.empty()) {
        output.write(table_of_expected(ledger.database(), expected, series, problems));
    } else {
        write_listed(output, ledger.database(), series, since.value_or(first_moment), most, notes);
    }
    print_notes(notes);
    print_notes(problems);
    return problems.empty() ? exit_done : exit_no;
}

}  // namespace cacheledger
