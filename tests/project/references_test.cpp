#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/paths.hpp"
#include "tests/project/passages.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace references_test {

// What comments and documents refer to is there. The rule, for a comment of any source, and for
// Markdown and README.txt:
//
// - A path that begins with a folder of the repository's top ("schema/ledger/names/tag.hpp",
// "tests/expected") is a file or a folder
//   there. Examples in fenced blocks are held to this as well, and to nothing else.
// - A word that ends in .cpp, .hpp or .sql, or without a slash in .py, .mjs or .cmake, is a file of
// the repository: by its
//   path, or without one by its name. What ends otherwise (zlib.json, page.txt) is a user's or
//   upstream's.
// - A word that ends in .md is a document, by its path from the top or from where it is named. But
// specs.md and index.md,
//   with any path, are what upstream calls pages.
// - A word of a document that ends in _test is a .cpp file of tests/, in whichever folder.
// - In all of these * stands for any text, and so do the words N, NAME and FAMILY.
// - A section is named after its document, by its heading in quotes: docs/formats.md, "Compilers".
// Never by a number.
// - The target of a link in Markdown is a file, seen from the document, and what follows # is one
// of its headings.
//
// The changelog is left out: it tells of what was. So is what programs or others wrote (tests/data,
// tests/expected).
using namespace program;

using passages::headings;
using passages::is_document;
using passages::name_of;
using passages::Passage;
using passages::tree;

namespace fs = std::filesystem;

namespace {

const fs::path root = paths::source;

bool begins(const std::string& text, const std::string& start) {
    return text.rfind(start, 0) == 0;
}

bool ends(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The last parts of these paths.
const std::set<std::string>& names() {
    static const std::set<std::string> all = [] {
        std::set<std::string> found;
        for (const std::string& path : tree()) {
            found.insert(name_of(path));
        }
        return found;
    }();
    return all;
}

/// Whether one of them is `wanted`, in which some words stand for any text.
bool is_among(const std::set<std::string>& all, const std::string& wanted) {
    static const std::regex any(R"(\*+|NAME|FAMILY|N+(?![A-Za-z]))");
    static const std::regex dot(R"(\.)");
    if (!std::regex_search(wanted, any)) {
        return all.count(wanted) > 0;
    }
    const std::regex pattern(
        std::regex_replace(std::regex_replace(wanted, dot, "\\."), any, "[^/]*"));
    return std::any_of(all.begin(), all.end(), [&](const std::string& candidate) {
        return std::regex_match(candidate, pattern);
    });
}

/// Whether there is a file or folder of this path.
bool is_path(const std::string& path) {
    return is_among(tree(), ends(path, "/") ? path.substr(0, path.size() - 1) : path);
}

/// What a link says for a heading: "The first look" is #the-first-look.
std::string anchor(const std::string& heading) {
    std::string text;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-' || c == '_') {
            text += static_cast<char>(std::tolower(byte));
        } else if (c == ' ') {
            text += '-';
        }
    }
    return text;
}

bool is_path_of_repository(const std::string& word) {
    static const std::set<std::string> folders = {".ci",    "bench",   "docs", "ingest", "reports",
                                                  "schema", "scripts", "sql",  "src",    "tests"};
    const std::size_t slash = word.find('/');
    return slash != std::string::npos && folders.count(word.substr(0, slash)) > 0;
}

bool is_page_of_upstream(const std::string& word) {
    return name_of(word) == "specs.md" || name_of(word) == "index.md";
}

/// What is wrong with the word; empty where nothing is.
std::string problem_of_word(const std::string& word, const Passage& where) {
    if (is_path_of_repository(word)) {
        return is_path(word) ? "" : "no such file or folder";
    }
    const std::string name = name_of(word);
    if (where.is_example || name.find_first_not_of("*.") >= name.rfind('.')) {
        return "";  // ".md", "*.sql"
    }
    const bool bare = name == word;
    for (const std::string ending : {".cpp", ".hpp", ".sql", ".py", ".mjs", ".cmake"}) {
        if (ends(word, ending) &&
            (bare || ending == ".cpp" || ending == ".hpp" || ending == ".sql")) {
            return is_among(bare ? names() : tree(), word) ? "" : "no such file";
        }
    }
    if (ends(word, ".md") && !is_page_of_upstream(word)) {
        const fs::path beside = fs::path(where.file).parent_path() / word;
        return is_path(word) || is_path(beside.lexically_normal().generic_string())
                   ? ""
                   : "no such document, by its path";
    }
    // The page of the schema has a column is_test.
    if (ends(word, "_test") && bare && is_document(where.file) && word != "is_test") {
        return is_among(names(), word + ".cpp") ? "" : "no such test";
    }
    return "";
}

/// A line for each link of the document that leads nowhere. Takes their targets out of the text.
Words take_links(Passage& where) {
    static const std::regex link(R"(\]\(([^)\s]+)\))");
    Words problems;
    for (std::sregex_iterator match(where.text.begin(), where.text.end(), link), none;
         match != none; ++match) {
        const std::string target = (*match)[1];
        if (begins(target, "https://")) {
            continue;
        }
        const std::string path = target.substr(0, target.find('#'));
        const fs::path file =
            path.empty() ? root / where.file : root / fs::path(where.file).parent_path() / path;
        if (!fs::exists(file)) {
            problems.push_back(target + ": the link leads to no file");
        } else if (target != path) {
            const Words all = headings(file);
            if (std::none_of(all.begin(), all.end(), [&](const std::string& heading) {
                    return path + '#' + anchor(heading) == target;
                })) {
                problems.push_back(target + ": the link leads to no heading");
            }
        }
    }
    where.text = std::regex_replace(where.text, link, "]");
    return problems;
}

/// A line for each section that is named and is not there.
Words section_problems(const Passage& where) {
    static const std::regex reference(R"re(([\w./-]+\.md)((?:(?:,| and|, and)? "[^"]+")+))re");
    static const std::regex heading(R"re("([^"]+)")re");
    static const std::regex number(R"(\.md[`,]*( generations?| \(?sections?) )");
    Words problems;
    if (std::regex_search(where.text, number)) {
        problems.push_back("a section is to be named by its heading in quotes");
    }
    for (std::sregex_iterator match(where.text.begin(), where.text.end(), reference), none;
         match != none; ++match) {
        const fs::path file = root / (*match)[1].str();
        const std::string quoted = (*match)[2];
        const Words all = fs::exists(file) ? headings(file) : Words();
        for (std::sregex_iterator text(quoted.begin(), quoted.end(), heading); text != none;
             ++text) {
            if (std::find(all.begin(), all.end(), (*text)[1].str()) == all.end()) {
                problems.push_back(text->str() + ": " + (*match)[1].str() + " has no such heading");
            }
        }
    }
    return problems;
}

/// A line for each reference of the passage that leads nowhere. `words`: how many were looked at.
Words problems_of(Passage where, std::size_t* words = nullptr) {
    static const std::regex word(R"([\w.*/-]*\w[\w*/-]*)");
    Words problems;
    if (is_document(where.file) && !where.is_example) {
        problems = take_links(where);
    }
    if (!where.is_example) {
        const Words more = section_problems(where);
        problems.insert(problems.end(), more.begin(), more.end());
    }
    for (std::sregex_iterator match(where.text.begin(), where.text.end(), word), none;
         match != none; ++match) {
        const std::string found = match->str();
        const bool within =
            match->position() > 0 &&
            contains(":$~", where.text.substr(static_cast<std::size_t>(match->position()) - 1, 1));
        const std::string problem = within ? "" : problem_of_word(found, where);
        if (!problem.empty()) {
            problems.push_back(found + ": " + problem);
        }
        if (words != nullptr && is_path_of_repository(found)) {
            ++*words;
        }
    }
    return problems;
}

}  // namespace

TEST_CASE("What comments and documents refer to is there") {
    std::size_t words = 0;
    for (const std::string& file : tree()) {
        for (const Passage& passage : passages::passages_of(file)) {
            for (const std::string& problem : problems_of(passage, &words)) {
                FAIL_CHECK(passage.file << ":" << passage.line << ": " << problem);
            }
        }
    }
    CHECK(words > 100);  // the scan does find them
}

TEST_CASE("References are told from the names of users' files") {
    const auto problems = [](const std::string& text,
                             const std::string& file = "src/command_line.cpp") {
        return problems_of({file, 1, text}).size();
    };
    CHECK(problems("As src/command_line.cpp says, command_line.cpp, sql/*/*.sql, scripts/test and "
                   "the folder sql/.") == 0);
    CHECK(problems(
              "A page zlib.txt, _cache/TAG/PACKAGE/specs.md, index.md, any .md, x.csv, a/b.py.") ==
          0);
    CHECK(problems("https://example.org/src/none.html, lib:src/none, and/or, coverage/stacks.") ==
          0);
    CHECK(problems("schema/sql/migrations/NNNN_NAME.sql, sql/FAMILY/NAME.sql") == 0);
    CHECK(problems("README.md, \"Install\"") == 0);
    for (const std::string broken :
         {"src/none.cpp", "src/none", "none.cpp", "other/none.sql", "none.py", "none.md",
          "docs/command_line.cpp", "schema/NNNN_NAME.sql", "README.md, \"No such heading\"",
          "README.md, \"Install\" and \"None\"", "README.md section 2",
          "(README.md sections 2 and 3)"}) {
        INFO(broken);
        CHECK(problems(broken) == 1);
    }
    CHECK(problems("[it](command_line.cpp)", "README.md") == 1);
    CHECK(problems("[it](src/command_line.cpp), [this](#install), `crash_test`", "README.md") == 0);
    CHECK(problems("[it](../src/command_line.cpp#none)", "docs/none.md") == 1);
    CHECK(problems("[this](#none)", "README.md") == 1);
    CHECK(problems("`none_test`", "README.md") == 1);
}

}  // namespace references_test
