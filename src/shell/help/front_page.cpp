#include "src/shell/help/front_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "src/commands/list/command.hpp"
#include "src/options/usage/help_text.hpp"
#include "src/shell/help/topics.hpp"

namespace cacheledger {

namespace {

/// The commands that a newcomer needs, each as it is typed, and what it does.
struct Lesson {
    const char* command;  ///< without the name of the program
    const char* purpose;
};

constexpr std::array lessons = {
    Lesson{"ingest MIRROR --tag site", "load what a build cache has"},
    Lesson{"snapshots", "list what is loaded"},
    Lesson{"specs 'hdf5 +mpi %gcc'", "find the builds that match a Spack spec"},
    Lesson{"diff", "show what changed, and why"},
    Lesson{"coverage spack.lock", "show how much of an environment is there"},
    Lesson{"history hdf5", "show when builds came, changed and went"},
};

/// What the other commands are for.
struct Purpose {
    const char* purpose;
    std::initializer_list<const char*> commands;
};

const std::array purposes = {
    Purpose{"ask more", {"report", "why", "dependents", "prune"}},
    Purpose{"keep a ledger", {"check", "forget", "compact", "backup"}},
    Purpose{"share it", {"site", "publish", "pull"}},
    Purpose{"ask SQL", {"sql"}},
};

std::string lessons_text() {
    std::string text = "start here:\n";
    for (const auto& [command, purpose] : lessons) {
        text += fmt::format("  cacheledger {:<26}{}\n", command, purpose);
    }
    return text;
}

std::string purposes_text() {
    std::string text;
    for (const auto& [purpose, names] : purposes) {
        text += fmt::format("{}:\n", purpose);
        for (const char* const name : names) {
            const Command& command = *find_command(name);
            text +=
                fmt::format("  {:<19}{}\n", fmt::format("{} {}", command.name, command.synopsis),
                            command.summary);
        }
    }
    return text;
}

std::string more_text(std::size_t width) {
    std::vector<std::string_view> names;
    for (const EmbeddedText& topic : topic_texts) {
        names.push_back(topic.name);
    }
    return fold_paragraphs(
        fmt::format("'cacheledger COMMAND --help' explains a command, 'cacheledger help TOPIC' a "
                    "topic: {}. 'cacheledger help examples' lists questions, and the command that "
                    "answers each.\n\n{}",
                    fmt::join(names, ", "), exit_codes_text),
        width);
}

}  // namespace

po::options_description program_options() {
    po::options_description options;
    options.add_options()("db", po::value<std::string>()->value_name("FILE"),
                          "the database; default $CACHELEDGER_DB, else cacheledger.db. Or the URL "
                          "of a PostgreSQL server to which ledgers were published")(
        "ledger", po::value<std::string>()->value_name("NAME"),
        "which of the ledgers that were published there")(
        "no-pager", "on a terminal: no $CACHELEDGER_PAGER, $PAGER or less for the rows")(
        "help,h", "this help; 'cacheledger COMMAND --help' for one command")(
        "version", "the versions of the program, of ledgers and of the libraries");
    return options;
}

std::string front_page(std::size_t width) {
    return fmt::format(
        "usage: cacheledger [--db FILE] [--no-pager] COMMAND ...\n\n"
        "Keeps a ledger of a Spack build cache: what is in it, and what changed.\n\n"
        "{}\n{}\noptions:\n{}\n{}",
        lessons_text(), purposes_text(), options_text(program_options(), width), more_text(width));
}

}  // namespace cacheledger
