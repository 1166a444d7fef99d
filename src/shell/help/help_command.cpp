#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <sstream>
#include <string>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/usage/help_text.hpp"
#include "src/options/versions/versions.hpp"
#include "src/shell/help/help.hpp"

namespace cacheledger {

namespace {

/// The line as roff prints it, as it is: \ - ' ^ ~ ` have another meaning there, and so have . and
/// ' at the beginning.
std::string roff(std::string_view line) {
    std::string text;
    for (const char c : line) {
        switch (c) {
            case '\\':
                text += "\\e";
                break;
            case '-':
                text += "\\-";
                break;
            case '\'':
                text += "\\(aq";
                break;
            case '^':
                text += "\\(ha";
                break;
            case '~':
                text += "\\(ti";
                break;
            case '`':
                text += "\\(ga";
                break;
            default:
                text += c;
        }
    }
    return text.starts_with('.') ? "\\&" + text : text;
}

/// Paragraphs, and blocks of lines that begin with a blank as literal text.
std::string roff_text(std::string_view text) {
    constexpr std::size_t width = 60;  // lines of a man page are short, also with their escapes
    std::istringstream lines(fold_paragraphs(text, width));
    std::string page;
    bool is_literal = false;
    bool in_item = false;
    std::string_view before;  // what stands before the next paragraph
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) {
            before = page.empty() ? "" : ".PP\n";
            continue;
        }
        const bool is_block = line.front() == ' ' && (is_literal || !before.empty());
        const bool is_item = line.starts_with("- ");
        if (is_literal && !is_block) {
            page += ".EE\n.RE\n";
        }
        page += before;
        if (is_block && !is_literal) {
            page += ".RS 2\n.EX\n";
        } else if (before.empty() && (is_item || (in_item && line.front() != ' '))) {
            page += ".PP\n";
        }
        in_item = is_item || (in_item && line.front() == ' ');
        const std::size_t begin = is_block ? 2 : line.find_first_not_of(' ');
        page += roff(line.substr(begin)) + "\n";
        is_literal = is_block;
        before = "";
    }
    return page + (is_literal ? ".EE\n.RE\n" : "");
}

std::string roff_options(const po::options_description& options) {
    std::string page;
    for (const auto& option : options.options()) {
        if (is_explained_by_formats(*option)) {
            continue;
        }
        const std::string parameter = option->format_parameter();
        page += fmt::format(
            ".TP\n{}\\fB\\-\\-{}\\fR{}\n{}", option->long_name() == "help" ? R"(\fB\-h\fR, )" : "",
            roff(option->long_name()), parameter.empty() ? "" : " \\fI" + roff(parameter) + "\\fR",
            roff_text(option->description()));
    }
    const std::string others = line_on_formats(options);
    return page + (others.empty() ? "" : fmt::format(".PP\n{}", roff_text(others)));
}

std::string roff_command(const Command& command) {
    CommandHelp help = command.help();
    add_help_option(help);
    const std::size_t end_of_forms = help.usage.find("\n\n");
    std::istringstream forms(help.usage.substr(0, end_of_forms));
    std::string page = fmt::format(".SS {}\n", roff(command.name));
    std::string_view before;
    for (std::string form; std::getline(forms, form);) {
        page += fmt::format("{}.B {}\n", before, roff(form.substr(form.find_first_not_of(' '))));
        before = ".br\n";
    }
    return page + ".PP\n" + roff_text(help.usage.substr(end_of_forms + 2)) +
           roff_options(help.options);
}

std::string upper(std::string_view text) {
    std::string all(text);
    for (char& c : all) {
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return all;
}

std::string roff_topic(const EmbeddedText& topic) {
    return fmt::format(".SH \"{}\"\n{}", roff(upper(title_of(topic))),
                       roff_text(topic.text.substr(topic.text.find('\n') + 1)));
}

/// The man page of the program, cacheledger(1), in the macros of man(7). It is made from the help
/// of the commands and from the topics.
std::string manual() {
    std::string page = fmt::format(
        ".TH CACHELEDGER 1 \"\" \"{}\" \"User Commands\"\n"
        ".SH NAME\ncacheledger \\- a ledger of a Spack binary build cache\n"
        ".SH SYNOPSIS\n.B cacheledger\n[\\fB\\-\\-db\\fR \\fIFILE\\fR] [\\fB\\-\\-no\\-pager\\fR] "
        "\\fICOMMAND\\fR ...\n"
        ".SH DESCRIPTION\nKeeps what a Spack binary build cache has, snapshot by snapshot,\n"
        "in one SQLite file, and tells what is built, what is missing,\n"
        "what changed, and why.\n"
        ".SH OPTIONS\n{}.SH COMMANDS\n",
        program_version(), roff_options(program_options()));
    for (const Command& command : commands) {
        page += roff_command(command);
    }
    for (const EmbeddedText& topic : topic_texts) {
        page += roff_topic(topic);
    }
    page += fmt::format(".SH \"EXIT STATUS\"\n{}", roff_text(exit_codes_text));
    page +=
        ".SH ENVIRONMENT\n"
        ".TP\n.B CACHELEDGER_DB\nthe database, if \\-\\-db does not name it\n"
        ".TP\n.BR CACHELEDGER_PAGER \", \" PAGER\nthe pager for rows on a terminal; empty: none\n"
        ".TP\n.B NO_COLOR\nno colours, if it is not empty\n"
        ".TP\n.B XDG_CACHE_HOME\nwhere ingest keeps what it read from the web, and copies of "
        "published ledgers; else ~/.cache\n"
        ".TP\n.B SSL_CERT_FILE\nthe certificates by which ingest trusts a server\n"
        ".TP\n.BR SQLITE_TMPDIR \", \" TMPDIR\nwhere compact makes a temporary file\n"
        ".TP\n.B CACHELEDGER_SITE_BUNDLE\nthe folder with the pages of a site\n"
        ".SH FILES\n.TP\n.I cacheledger.db\nthe database, if nothing names another\n"
        ".SH \"SEE ALSO\"\n.BR spack (1),\n.BR sqlite3 (1)\n";
    return page;
}

constexpr const char* help_usage =
    "cacheledger help [TOPIC]\n"
    "       cacheledger help COMMAND\n"
    "       cacheledger help REPORT\n\n"
    "Explains a command, a report or a topic; without one, what there is.\n\n"
    "  cacheledger help snapshots\n"
    "  cacheledger help diff\n"
    "  cacheledger help coverage/gaps";

std::string laid_out(CommandHelp help, std::size_t width) {
    add_help_option(help);
    return help_text(help, width);
}

/// A topic can have the name of a command: then it goes on where the command's help ends.
std::string explain(const std::string& name, std::size_t width) {
    std::string text;
    if (const Command* const command = find_command(name)) {
        text = laid_out(command->help(), width);
    }
    if (const EmbeddedText* const topic = find_topic(name)) {
        text += text.empty() ? "" : "\n";
        text += fold_paragraphs(topic->text, width);
    }
    if (!text.empty()) {
        return text;
    }
    const Catalog catalog;
    const Report* const report = catalog.find_or_null(name);
    if (report == nullptr) {
        refuse_unknown("help on", name, explained_names(), "see cacheledger help");
    }
    return laid_out(help_of_report(catalog, *report), width);
}

}  // namespace

CommandHelp help_of_help() {
    CommandHelp help{help_usage, {}, 3};
    help.options.add_options()("man", "print all of it as a man page, for man -l");
    return help;
}

ExitStatus run_help(const Invocation& /*invocation*/, const ParsedOptions& parsed) {
    std::vector<std::string> words = parsed.words;
    if (words.size() > 1 && words[0] == "report") {
        words.erase(words.begin());
    }
    if (parsed.has("man")) {
        std::cout << manual();
    } else if (words.empty()) {
        print_help(front_page(help_width()));
    } else {
        print_help(explain(fmt::format("{}", fmt::join(words, "/")), help_width()));
    }
    return exit_done;
}

}  // namespace cacheledger
