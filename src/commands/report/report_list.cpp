#include "src/commands/report/report_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/terminal/output/output.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

constexpr const char* report_usage =
    "cacheledger report [NAME] [options]\n\n"
    "  cacheledger report\n"
    "  cacheledger report coverage/stacks --package 'py-*'\n"
    "  cacheledger report coverage/matrix --by target --format csv\n\n"
    "Runs a canned report. Without NAME it lists the reports; with the name of a group, such as\n"
    "coverage, those of the group. The parameters of a report are options. --at, --from and --to\n"
    "take the name of a snapshot, or a file that 'ingest' reads. --package and --stack take a name "
    "or\n"
    "a pattern such as 'py-*'.\n"
    "'cacheledger report NAME --help' explains one report.";

/// The reports that the list has: those of a group, with --all all, else those that no command
/// answers better.
std::vector<const Report*> listed_reports(const Catalog& catalog, const std::string& group,
                                          bool all) {
    std::vector<const Report*> listed;
    for (const Report& report : catalog.reports()) {
        if (group.empty() ? all || !is_in_the_long_list(report)
                          : report.name.starts_with(group + "/")) {
            listed.push_back(&report);
        }
    }
    return listed;
}

std::string parameters_of(const Catalog& catalog, const Report& report) {
    std::vector<std::string> parameters;
    for (const Parameter& parameter : report.parameters) {
        parameters.push_back("--" + parameter.name);
    }
    if (!catalog.forms(report).empty()) {
        parameters.emplace_back("--by");
    }
    return fmt::format("{}", fmt::join(parameters, " "));
}

/// The title; of a report with forms, with the words of --by.
std::string title_in_list(const Catalog& catalog, const Report& report) {
    const auto words = words_of_by(catalog, report);
    return words.empty() ? report.title
                         : fmt::format("{} (--by {})", report.title, fmt::join(words, ", "));
}

}  // namespace

void add_folder_option(po::options_description& options) {
    options.add_options()("reports", repeated("DIR", Offer::folders),
                          "also use the reports (.sql files) of this folder");
}

void add_common_options(po::options_description& options, std::span<const Format> more_formats) {
    add_param_option(options);
    add_folder_option(options);
    add_timeout_option(options);
    add_output_options(options, more_formats);
}

std::vector<std::string> words_of_by(const Catalog& catalog, const Report& report) {
    std::vector<std::string> words;
    for (const Report* const form : catalog.forms(report)) {
        words.push_back(form->form->by);
    }
    return words;
}

CommandHelp report_help() {
    CommandHelp help{report_usage, {}, 1};
    help.options.add_options()("all", "list all reports");
    add_common_options(help.options);
    return help;
}

ExitStatus list_reports(const Invocation& invocation, const Catalog& catalog) {
    const ParsedOptions parsed = parse_options(invocation.arguments, report_help());
    if (parsed.help) {
        return exit_done;
    }
    const std::string group = parsed.words.empty() ? "" : parsed.words[0];
    const auto listed = listed_reports(catalog, group, parsed.has("all"));
    if (listed.empty()) {
        throw UsageError(fmt::format("the name of a report stands first; see {}",
                                     command_hint({"report", group, "--help"})));
    }
    ResultTable table{{"report", "title", "parameters"}, {}};
    for (const Report* const report : listed) {
        table.rows.push_back(
            {report->name, title_in_list(catalog, *report), parameters_of(catalog, *report)});
    }
    const Output output(parsed, invocation.database);
    output.write(table);
    std::vector<std::string> notes;
    const std::size_t others = catalog.reports().size() - listed.size();
    if (others > 0 && group.empty() && output.style().is_terminal) {
        notes.push_back(
            fmt::format("--all lists {} more reports; commands such as diff, coverage "
                        "and why answer most of them better",
                        others));
    }
    for (const auto& [name, problem] : catalog.broken()) {
        notes.push_back(fmt::format("the report {} is left out: {}", name, problem));
    }
    print_notes(notes);
    return exit_done;
}

bool is_group(const Catalog& catalog, const std::string& name) {
    return !name.empty() && !listed_reports(catalog, name, true).empty();
}

const Report& asked_form(const Catalog& catalog, const Report& report, const std::string& by) {
    if (by.empty() || !report.form) {
        return report;
    }
    for (const Report* const form : catalog.forms(report)) {
        if (form->form->by == by) {
            return *form;
        }
    }
    throw UsageError(fmt::format("--by '{}': {} has: {}", by, report.name,
                                 fmt::join(words_of_by(catalog, report), ", ")));
}

}  // namespace cacheledger
