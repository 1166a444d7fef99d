#include "src/shell/help/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/errors/hint.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/usage/help_text.hpp"

namespace cacheledger {

namespace {

struct OtherWords {
    std::initializer_list<std::string_view> words;
    const char* purpose;
    std::vector<std::string> command;
};

const std::array<OtherWords, 15>& other_commands() {
    static const std::array<OtherWords, 15> all = {{
        {{"ls", "list", "status", "info"}, "to list what is loaded", {"snapshots"}},
        {{"show", "search", "find", "query", "builds", "spec"},
         "to find builds",
         {"specs", "hdf5 +mpi"}},
        {{"stats", "stat", "count", "summary"},
         "to count what is there",
         {"report", "coverage/summary"}},
        {{"add", "load", "import", "update", "fetch", "pull"},
         "to load a cache, an index or a lock file",
         {"ingest", "--help"}},
        {{"log", "blame"}, "to show what became of a package", {"history", "--help"}},
        {{"undo", "rm", "remove", "delete", "drop", "reset"},
         "to show what would be removed",
         {"forget", "latest", "--dry-run"}},
        {{"gc", "vacuum", "clean", "shrink"}, "to make the file smaller", {"compact"}},
        {{"verify", "fsck", "validate", "test"}, "to verify the ledger", {"check"}},
        {{"compare", "changes", "drift"}, "to show what changed", {"diff"}},
        {{"packages", "versions"}, "to count by package", {"report", "coverage/packages"}},
        {{"missing", "wanted", "covers"}, "to compare with a lock file", {"coverage", "--help"}},
        {{"rdeps", "depends", "needs"}, "to list what needs a build", {"dependents", "--help"}},
        {{"web", "serve", "html", "ui"}, "to write web pages", {"site", "--help"}},
        {{"query-sql", "sqlite", "shell", "schema"},
         "to see what SQL can ask",
         {"sql", "--schema"}},
        {{"copy", "save", "dump", "export"}, "to copy the ledger", {"backup", "--help"}},
    }};
    return all;
}

struct About {
    std::string_view word, topic;
};

constexpr std::array topics_of_words = {
    About{"gates", "ci"},           About{"gate", "ci"},          About{"exit-codes", "ci"},
    About{"junit", "ci"},           About{"github", "ci"},        About{"json", "formats"},
    About{"csv", "formats"},        About{"markdown", "formats"}, About{"output", "formats"},
    About{"questions", "examples"}, About{"tags", "snapshots"},   About{"names", "snapshots"},
    About{"index", "sources"},      About{"mirror", "sources"},   About{"mirrors", "sources"},
    About{"package", "filters"},    About{"target", "filters"},   About{"spec", "specs"},
};

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

/// What the other commands are for, in the order of Group.
constexpr std::array captions = {"ask more", "keep a ledger", "share it", "ask SQL"};

std::string lessons_text() {
    std::string text = "start here:\n";
    for (const auto& [command, purpose] : lessons) {
        text += fmt::format("  cacheledger {:<26}{}\n", command, purpose);
    }
    return text;
}

std::string groups_text() {
    std::string text;
    for (std::size_t group = 0; group < captions.size(); ++group) {
        text += fmt::format("{}:\n", captions.at(group));
        for (const Command& command : commands) {
            if (command.group == static_cast<Group>(group)) {
                text += fmt::format("  {:<19}{}\n",
                                    fmt::format("{} {}", command.name, command.synopsis),
                                    command.summary);
            }
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
    options.add_options()("db", once("FILE", Offer::files),
                          "the database; default $CACHELEDGER_DB, else cacheledger.db. Or the URL "
                          "of a PostgreSQL server to which ledgers were published")(
        "ledger", once("NAME"), "which of the ledgers that were published there")(
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
        lessons_text(), groups_text(), options_text(program_options(), width), more_text(width));
}

const EmbeddedText* find_topic(std::string_view name) {
    const auto* const about = std::ranges::find(topics_of_words, name, &About::word);
    const auto found = std::ranges::find(
        topic_texts, about == topics_of_words.end() ? name : about->topic, &EmbeddedText::name);
    return found == topic_texts.end() ? nullptr : &*found;
}

std::string_view title_of(const EmbeddedText& topic) {
    return topic.text.substr(0, topic.text.find('\n'));
}

std::vector<std::string> explained_names() {
    std::vector<std::string> names;
    std::ranges::transform(commands, std::back_inserter(names), &Command::name);
    for (const EmbeddedText& topic : topic_texts) {
        if (find_command(topic.name) == nullptr) {
            names.emplace_back(topic.name);
        }
    }
    std::ranges::move(Catalog().offered_names(), std::back_inserter(names));
    return names;
}

std::string here_instead_of(std::string_view word) {
    for (const OtherWords& one : other_commands()) {
        if (std::ranges::count(one.words, word) > 0) {
            return fmt::format("{}: {}", one.purpose, command_hint(one.command));
        }
    }
    return "";
}

}  // namespace cacheledger
