#include <filesystem>
#include <regex>
#include <sstream>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace sentence_test {

using namespace program;

namespace {

constexpr std::size_t most_words = 25;

/// The paragraphs of a help or a document, each in one line. Leaves out blocks of commands, tables
/// and headings. An item of a list and an option of a help is a paragraph.
Words paragraphs(const std::string& text) {
    Words found = {""};
    bool in_block = false;
    bool in_options = false;
    for (const std::string& line : lines_of(text)) {
        in_block = in_block != line.starts_with("```");
        in_options = (in_options && !line.empty()) || line.ends_with("options:");
        const std::size_t begin = line.find_first_not_of(' ');
        const bool is_literal = !in_options && begin != 0;
        if (in_block || line.empty() || is_literal || line.starts_with("```") ||
            line.front() == '|' || line.front() == '#') {
            found.emplace_back();
            continue;
        }
        const bool is_option = in_options && line.starts_with("  -");
        if (is_option || line.starts_with("- ")) {
            found.emplace_back();
        }
        // The text of an option stands behind its name and value, two blanks apart.
        const std::size_t name_end = is_option ? line.find("  ", begin) : 0;
        found.back() += name_end == std::string::npos ? "" : " " + line.substr(name_end);
    }
    return found;
}

/// The sentences of more than `most_words` words. A semicolon or a colon ends one, too.
Words long_sentences(const std::string& text) {
    static const std::regex end(R"([.:;?!]\)?["']?\s)");
    Words found;
    for (const std::string& paragraph : paragraphs(text)) {
        const std::string whole = paragraph + ". ";
        auto begin = whole.cbegin();
        for (std::smatch match; std::regex_search(begin, whole.cend(), match, end);
             begin = match.suffix().first) {
            const std::string sentence(begin, match[0].second);
            std::istringstream words(sentence);
            std::size_t count = 0;
            for (std::string word; words >> word;) {
                ++count;
            }
            if (count > most_words) {
                found.push_back(sentence);
            }
        }
    }
    return found;
}

void check(const std::string& where, const std::string& text) {
    for (const std::string& sentence : long_sentences(text)) {
        INFO(where);
        INFO(sentence);
        CHECK(false);
    }
}

}  // namespace

TEST_CASE("A long sentence is found") {
    std::string words;
    for (std::size_t i = 0; i < most_words; ++i) {
        words += i == 0 ? "word" : " word";
    }
    CHECK(long_sentences(words + ". " + words + ".\n").empty());
    CHECK(long_sentences(words + " more.\n").size() == 1);
    CHECK(long_sentences("options:\n  --at X  " + words + "\n          more\n").size() == 1);
    CHECK(long_sentences("```\n" + words + " more\n```\n").empty());
}

TEST_CASE("No sentence of the help and of the README has more than 25 words") {
    const Workbench bench;
    check("--help", bench.run({"--help"}).out);
    for (const std::string& name : lines_of(bench.run({"complete", "--", "help", ""}).out)) {
        check(name, bench.run({"help", name.substr(0, name.find('\t'))}).out);
    }
    for (const std::string document : {"README.md", "docs/keeping.md", "docs/cookbook.md"}) {
        check(document, read_file(std::filesystem::path(paths::source) / document));
    }
}

}  // namespace sentence_test
