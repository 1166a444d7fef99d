#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/questions/diff/diff.hpp"
#include "reports/render/charts/draw_chart.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/commands/report/notes_on_report.hpp"
#include "src/commands/report/report_list.hpp"
#include "src/commands/report/sql_for_postgresql.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/options/filters/look_filter_options.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

constexpr std::array chart_formats = {Format::svg};

std::string parameter_help(const Report& report, const Parameter& parameter) {
    std::string text = parameter.help;
    if (parameter.name == "package" && report.filters_looks) {
        text += "; or a spec: 'hdf5@1.14 +mpi %gcc'";
    }
    if (parameter.default_value && !is_null(*parameter.default_value)) {
        text += fmt::format(" (default {})", to_text(*parameter.default_value));
    }
    return text;
}

// The report and the catalog. They are needed before the other options can be parsed, because the
// report's parameters are options.
struct Selection {
    std::string name;
    std::string by;  ///< --by; empty if it is not given
    Catalog catalog;
    std::vector<std::string> arguments{};  ///< with one word as the name
};

bool is_word(const std::string& argument) {
    return !argument.empty() && argument.front() != '-';
}

/// Takes `coverage stacks` for coverage/stacks.
void join_name(Selection& selection) {
    auto& arguments = selection.arguments;
    if (arguments.size() < 2 || !is_word(arguments[1]) ||
        selection.catalog.find_or_null(selection.name) != nullptr) {
        return;
    }
    const std::string joined = fmt::format("{}/{}", arguments[0], arguments[1]);
    if (selection.catalog.find_or_null(joined) != nullptr) {
        selection.name = joined;
        arguments[0] = joined;
        arguments.erase(arguments.begin() + 1);
    }
}

Selection select(const std::vector<std::string>& arguments) {
    po::options_description all;
    add_folder_option(all);
    all.add_options()("by", po::value<std::vector<std::string>>())(
        "word", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("word", -1);
    po::variables_map values;
    try {
        po::store(po::command_line_parser(arguments)
                      .options(all)
                      .positional(positional)
                      .style(option_style)
                      .allow_unregistered()
                      .run(),
                  values);
    } catch (const po::invalid_command_line_syntax& error) {
        // "--output=" is refused, in words of its own, by whoever knows the options of the report.
        if (error.kind() != po::invalid_command_line_syntax::empty_adjacent_parameter) {
            throw UsageError(fmt::format("{}; see cacheledger report --help", error.what()));
        }
    } catch (const po::error& error) {
        throw UsageError(fmt::format("{}; see cacheledger report --help", error.what()));
    }
    Selection selection;
    if (values.count("reports") > 0) {
        for (const std::string& folder : values["reports"].as<std::vector<std::string>>()) {
            selection.catalog.add_folder(folder);
        }
    }
    if (values.count("by") > 0) {
        selection.by = values["by"].as<std::vector<std::string>>().back();
    }
    selection.arguments = arguments;
    // Only the first argument can be the name: later words can be the values of options that are
    // not known yet.
    if (!arguments.empty() && is_word(arguments.front())) {
        selection.name = arguments.front();
        join_name(selection);
    }
    return selection;
}

/// Sentences about what a report of drift/ leaves out.
std::vector<std::string> left_out(SQLite::Database& database, const Catalog& catalog,
                                  const Report& report, Arguments arguments) {
    if (!PairDrift::is_read_by(report)) {
        return {};
    }
    const Report& unobserved = catalog.find("drift/unobserved");
    std::erase_if(arguments, [&](const auto& argument) {
        return std::ranges::count(unobserved.parameters, argument.first, &Parameter::name) == 0;
    });
    return unobserved_remarks(run_report(database, unobserved, arguments));
}

/// Leaves out rows beyond --limit. The table format says so below the rows.
void limit_rows(ResultTable& table, std::size_t limit, Format format,
                std::vector<std::string>& notes) {
    keep_first(table, limit);
    if (table.rows_left_out > 0 && format != Format::table) {
        notes.push_back(fmt::format("{} (--limit)", count_kept(table)));
    }
}

/// The builds that the options ask for. Where --package is a spec, the parameter gets its name.
LookFilter read_look_filter(const ParsedOptions& parsed, const Report& report,
                            std::map<std::string, std::string>& given) {
    std::vector<std::string> packages;
    const auto package = given.find("package");
    const bool is_pattern = std::ranges::any_of(report.parameters, [](const Parameter& parameter) {
        return parameter.name == "package" && parameter.type == ParameterType::glob;
    });
    if (is_pattern && package != given.end()) {
        packages.push_back(package->second);
    }
    LookFilter filter(read_filter_words(parsed, packages, &report));
    if (filter.asks_for_looks() && !report.filters_looks) {
        throw UsageError(
            fmt::format("--package '{}': the report {} takes only a name or a pattern here",
                        packages.front(), report.name));
    }
    if (!packages.empty()) {
        package->second = filter.package_pattern();
    }
    return filter;
}

/// Adds the notes that are not there yet.
void add_notes(std::vector<std::string>& notes, std::vector<std::string> more) {
    for (std::string& note : more) {
        if (std::ranges::find(notes, note) == notes.end()) {
            notes.push_back(std::move(note));
        }
    }
}

/// The formats that a report has beside those of every command.
std::span<const Format> more_formats(const Report& report) {
    return report.chart ? std::span<const Format>(chart_formats) : std::span<const Format>();
}

void refuse_chart_of_others(const ParsedOptions& parsed, const Catalog& catalog,
                            const Report& report) {
    const bool is_picture =
        parsed.has("format") ? parsed.text("format") == "svg"
                             : format_of_ending(parsed.text("output").value_or("")) == Format::svg;
    if (!is_picture || report.chart) {
        return;
    }
    std::vector<std::string> charts;
    for (const Report& other : catalog.reports()) {
        if (other.chart) {
            charts.push_back(other.name);
        }
    }
    throw UsageError(
        fmt::format("--format svg draws a chart, and the report {} has none; these have: {}",
                    report.name, fmt::join(charts, ", ")));
}

std::string chart_of(const Report& report, const ResultTable& table, const std::string& title,
                     bool is_alone) {
    try {
        return draw_chart(table, *report.chart,
                          {.title = title, .caption = report.caption, .units = report.units},
                          is_alone);
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("{}: {}", report.origin, error.what()));
    }
}

/// A page says what the report is, and draws all rows. Notes are in it, too. Below a table stands
/// why it has no sizes; the other formats have only rows.
void write_rows(const Output& output, const Report& report, const std::string& title,
                ResultTable& table, std::size_t limit, std::vector<std::string>& notes) {
    std::string below;
    if (output.format() == Format::table) {
        const auto note = note_on_sizes(report, table);
        below = note ? paragraph(*note, output.style().width) : "";
    }
    RenderOptions style = output.style(title);
    if (output.format() == Format::html) {
        style.description = report.description;
        std::ranges::replace(style.description, '\n', ' ');
        style.chart = report.chart ? chart_of(report, table, title, false) : "";
    }
    limit_rows(table, limit, output.format(), notes);
    style.remarks = notes;
    output.write([&](std::ostream& out) {
        render(table, output.format(), style, out);
        out << below;
    });
}

/// The snapshots that are given. Those that are not given are of the ledger.
TypedSnapshots typed_snapshots(const Report& report,
                               const std::map<std::string, std::string>& given) {
    TypedSnapshots typed;
    typed.and_wishes = report.sql.find("wish_states") != std::string::npos;
    for (const Parameter& parameter : report.parameters) {
        if (parameter.type != ParameterType::snapshot) {
            continue;
        }
        if (const auto found = given.find(parameter.name); found != given.end()) {
            typed.words.push_back(found->second);
        } else {
            typed.and_others = true;
        }
    }
    return typed;
}

/// How a value of the parameter is called, and what it can be.
po::typed_value<std::string>* value_of_parameter(const Parameter& parameter) {
    const std::string type(type_name(parameter.type));
    return !parameter.choices.empty()                  ? once("WHAT", Choices{parameter.choices})
           : parameter.type == ParameterType::snapshot ? once(type.c_str(), Offer::snapshots)
           : parameter.names                           ? once(type.c_str(), *parameter.names)
                                                       : once(type.c_str());
}

/// A report may have a parameter of this name, which then is what it says.
bool takes_limit(const Report& report) {
    return std::ranges::count(report.parameters, "limit", &Parameter::name) == 0;
}

ExitStatus run_one(const Invocation& invocation, const Catalog& catalog, const Report& report) {
    refuse_look_filter(invocation.arguments, report);
    const ParsedOptions parsed =
        parse_options(invocation.arguments, help_of_report(catalog, report));
    if (parsed.help) {
        return exit_done;
    }
    refuse_chart_of_others(parsed, catalog, report);
    is_for_postgresql(parsed);  // a contradiction is found before the ledger is opened
    const Output output(parsed, invocation.database, more_formats(report));
    auto given = given_params(parsed);
    for (const Parameter& parameter : report.parameters) {
        if (const auto text = parsed.text(parameter.name)) {
            given[parameter.name] = *text;
        }
    }
    const LookFilter filter = read_look_filter(parsed, report, given);
    const auto timeout = read_timeout(parsed);
    const std::size_t limit =
        takes_limit(report) ? read_limit(parsed).value_or(all_rows) : all_rows;
    AskedLedger ledger(invocation.database, invocation.ledger, typed_snapshots(report, given),
                       timeout);
    if (parsed.has("sql") && ledger.has_files()) {
        throw UsageError("--sql prints a query for a ledger: name a snapshot that it has");
    }
    SQLite::Database& database = ledger.database();
    for (const Parameter& parameter : report.parameters) {
        if (parameter.type == ParameterType::snapshot && given.contains(parameter.name)) {
            given[parameter.name] = ledger.name(given[parameter.name]);
        }
    }
    ReportArguments asked = report_arguments(database, report, given);
    const Arguments& arguments = asked.values;
    std::vector<std::string>& notes = asked.notes;
    add_notes(notes, ledger.notes());
    add_notes(notes, filter.check_names(database));
    std::string title = report.title;
    for (const Parameter& parameter : report.parameters) {
        if (parameter.type == ParameterType::snapshot) {
            title += fmt::format(", {} {}", parameter.name, to_text(arguments.at(parameter.name)));
        }
    }
    try {
        std::optional<HardStop> hard_stop(std::in_place, timeout,
                                          ledger.watch().problem(report.name));
        const AskedLooks looks(database, filter);
        add_notes(notes, looks.notes());
        if (parsed.has("sql")) {
            const std::string sql =
                is_for_postgresql(parsed)
                    ? sql_for_postgresql(database, report, arguments, filter,
                                         parsed.text("ledger").value_or(invocation.ledger))
                    : looks.sql() +
                          interruptible([&] { return report_sql(database, report, arguments); });
            hard_stop.reset();
            output.write([&](std::ostream& out) { out << sql; });
            print_notes(notes);
            return exit_done;
        }
        ResultTable table = interruptible([&] { return run_report(database, report, arguments); });
        std::ranges::move(left_out(database, catalog, report, arguments),
                          std::back_inserter(notes));
        add_notes(notes, notes_on_package(ledger, report, arguments, table));
        add_notes(notes, notes_on_recipes(ledger, report, arguments));
        if (output.style().width > 0 && output.format() == Format::table) {
            add_notes(notes, notes_on_no_repository(ledger, report, table));
        }
        hard_stop.reset();
        if (output.format() == Format::svg) {
            const std::string chart = chart_of(report, table, title, true);
            output.write([&](std::ostream& out) { out << chart; });
        } else {
            write_rows(output, report, title, table, limit, notes);
        }
        print_notes(notes);
    } catch (const Interrupted&) {
        ledger.watch().explain(report.name);
        throw;
    }
    return exit_done;
}

}  // namespace

CommandHelp help_of_report(const Catalog& catalog, const Report& report) {
    CommandHelp help;
    help.usage = fmt::format("cacheledger report {} [options]\n\n{}\n\n{}", report.name,
                             report.title, report.description);
    if (!report.command.empty()) {
        help.usage += fmt::format("\n\nThe command {} answers this, too.", report.command);
    }
    help.words = 1;
    if (report.form) {
        const auto words = words_of_by(catalog, report);
        help.options.add_options()("by", once("WHAT", Choices{words}),
                                   fmt::format("count by {}", fmt::join(words, ", ")).c_str());
    }
    for (const Parameter& parameter : report.parameters) {
        help.options.add_options()(parameter.name.c_str(), value_of_parameter(parameter),
                                   parameter_help(report, parameter).c_str());
    }
    if (report.filters_looks) {
        add_look_filter_options(help.options, &report);
    }
    if (takes_limit(report)) {
        add_limit_option(help.general, "print only the first ROWS rows; 0: all, as without it");
    }
    help.general.add_options()(
        "sql",
        "print the SQL instead of its rows, with the values of the parameters filled in; the "
        "sqlite3 shell can run it (sqlite3 -readonly)")(
        "for", once("ENGINE", Choices{engines_of_sql()}),
        "with --sql: the engine that is to run it, sqlite (as without it) or postgresql, on a "
        "published ledger")("ledger", once("NAME"),
                            "with --for postgresql: begin with the search_path of this ledger");
    add_common_options(help.general, more_formats(report));
    return help;
}

ExitStatus run_report(const Invocation& invocation, const ParsedOptions& /*none*/) {
    const Selection selection = select(invocation.arguments);
    const Catalog& catalog = selection.catalog;
    Invocation one = invocation;
    one.arguments = selection.arguments;
    if (selection.name.empty() || is_group(catalog, selection.name)) {
        return list_reports(one, catalog);
    }
    return run_one(one, catalog, asked_form(catalog, catalog.find(selection.name), selection.by));
}

}  // namespace cacheledger
