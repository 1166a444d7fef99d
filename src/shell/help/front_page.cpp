#include "src/shell/help/front_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "src/commands/list/command.hpp"
#include "src/options/usage/help_text.hpp"
#include "src/shell/help/topics.hpp"

namespace cacheledger {

namespace {

struct Question {
    const char* question;
    const char* command;  ///< without the name of the program
};

constexpr std::array questions = {
    Question{"is my package in?", "specs hdf5"},
    Question{"... like this, for my target?", "specs 'hdf5+mpi target=x86_64_v3'"},
    Question{"... in my stack?", "specs hdf5 --stack e4s"},
    Question{"... for which targets?", "report coverage/matrix-targets"},
    Question{"which versions are there?", "report coverage/versions"},
    Question{"what does each stack have?", "report coverage/stacks"},
    Question{"what does a stack lack?", "report coverage/gaps"},
    Question{"what is gone?", "report coverage/gone"},
    Question{"is all of my environment in?", "coverage spack.lock"},
    Question{"what changed?", "diff"},
    Question{"... in a week?", "diff 'develop@{1 week ago}' develop"},
    Question{"... in my package?", "diff --package hdf5"},
    Question{"... in a sentence?", "diff --summary"},
    Question{"... by package?", "diff --by package"},
    Question{"what became of my package?", "history hdf5"},
    Question{"why was it built again?", "why"},
    Question{"what needs it?", "dependents zlib"},
    Question{"how does the cache grow?", "report history/growth"},
    Question{"what takes the space?", "report sizes/packages"},
    Question{"what would a deletion lose?", "prune --keep 'newest 7' --dry-run"},
    Question{"which builds look alike?", "report coverage/redundancy"},
    Question{"which snapshots are there?", "snapshots"},
    Question{"is something odd in the data?", "report audit/findings"},
    Question{"how do I see it in a browser?", "site public"},
    Question{"how do many share it?", "help publish"},
    Question{"which reports are there?", "report"},
    Question{"how do I ask in SQL?", "sql --schema"},
    Question{"how is a cache loaded?", "help sources"},
    Question{"what can be removed?", "forget --keep-daily 90 --dry-run"},
    Question{"how do I make CSV or JSON?", "help formats"},
    Question{"how can CI fail?", "help ci"},
};

std::string questions_text() {
    std::string text = "questions:\n";
    for (const auto& [question, command] : questions) {
        text += fmt::format("  {:<31}cacheledger {}\n", question, command);
    }
    return text;
}

std::string commands_text() {
    std::string text = "commands:\n";
    for (const Command& command : commands()) {
        text += fmt::format("  {:<19}{}\n", fmt::format("{} {}", command.name, command.synopsis),
                            command.summary);
    }
    return text;
}

std::string topics_text(std::size_t width) {
    std::vector<std::string_view> names;
    for (const EmbeddedText& topic : topic_texts) {
        names.push_back(topic.name);
    }
    return fold_paragraphs(fmt::format("topics of 'cacheledger help TOPIC', with examples: {}",
                                       fmt::join(names, ", ")),
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
        "A ledger of a Spack binary build cache: what is built, and what changed.\n\n"
        "{}\n{}\noptions:\n{}\n{}\n{}",
        questions_text(), commands_text(), options_text(program_options(), width),
        topics_text(width), fold_paragraphs(exit_codes_text, width));
}

}  // namespace cacheledger
