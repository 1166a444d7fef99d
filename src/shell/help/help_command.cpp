#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/usage/help_text.hpp"
#include "src/shell/help/front_page.hpp"
#include "src/shell/help/manual.hpp"
#include "src/shell/help/topics.hpp"

namespace cacheledger {

namespace {

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

ExitStatus run_help(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, help_of_help());
    if (parsed.help) {
        return exit_done;
    }
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
