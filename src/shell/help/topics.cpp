#include "src/shell/help/topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/errors/hint.hpp"
#include "src/commands/list/command.hpp"

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

}  // namespace

const EmbeddedText* find_topic(std::string_view name) {
    const std::string_view about = topic_about(name);
    const auto found =
        std::ranges::find(topic_texts, about.empty() ? name : about, &EmbeddedText::name);
    return found == topic_texts.end() ? nullptr : &*found;
}

std::string_view title_of(const EmbeddedText& topic) {
    return topic.text.substr(0, topic.text.find('\n'));
}

std::vector<std::string> explained_names() {
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        names.emplace_back(command.name);
    }
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

std::string_view topic_about(std::string_view word) {
    const auto* const found = std::ranges::find(topics_of_words, word, &About::word);
    return found == topics_of_words.end() ? std::string_view() : found->topic;
}

}  // namespace cacheledger
