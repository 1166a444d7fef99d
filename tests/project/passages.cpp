#include "tests/project/passages.hpp"
#include "tests/paths.hpp"

#include <algorithm>
#include <map>

#include "tests/support/program/program.hpp"

using namespace program;

namespace fs = std::filesystem;

namespace passages {

namespace {

const fs::path root = paths::source;

bool begins(const std::string& text, const std::string& start) {
    return text.rfind(start, 0) == 0;
}

bool ends(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::set<std::string> walk() {
    std::set<std::string> found;
    for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
        const std::string path = entry->path().lexically_relative(root).generic_string();
        if (path == ".git" || begins(path, "build") || entry->path().filename() == "__pycache__") {
            entry.disable_recursion_pending();
        } else {
            found.insert(path);
        }
    }
    return found;
}

/// What begins a comment in the file; nothing where it has none.
std::string comment_mark(const std::string& file) {
    static const std::map<std::string, std::string> marks = {
        {".cpp", "//"}, {".hpp", "//"},  {".mjs", "//"}, {".sql", "--"},
        {".py", "#"},   {".cmake", "#"}, {".txt", "#"},  {"", "#"}};
    const auto found = marks.find(fs::path(file).extension().string());
    return found == marks.end() ? "" : found->second;
}

/// Where the comment of a line begins. A mark within quotes begins none, nor one within a word.
std::size_t comment_in(const std::string& line, const std::string& mark) {
    std::size_t at = line.find(mark);
    while (at != std::string::npos) {
        const std::string before = line.substr(0, at);
        const bool apart = at == 0 || before.back() == ' ' || before.back() == '\t';
        if (apart && std::count(before.begin(), before.end(), '"') % 2 == 0) {
            return at;
        }
        at = line.find(mark, at + 1);
    }
    return at;
}

/// The comments of a source. Lines that hold nothing else and follow each other are one.
std::vector<Passage> comments(const std::string& file) {
    const std::string mark = comment_mark(file);
    std::vector<Passage> found;
    bool goes_on = false;
    bool in_docstring = false;
    std::size_t number = 0;
    for (const std::string& line : lines_of(read_file(root / file))) {
        ++number;
        if (ends(file, ".py") && contains(line, "\"\"\"")) {
            in_docstring = in_docstring != (line.find("\"\"\"") == line.rfind("\"\"\""));
            found.push_back({file, number, line});
            continue;
        }
        const std::size_t at = in_docstring ? 0 : comment_in(line, mark);
        if (at == std::string::npos) {
            goes_on = false;
            continue;
        }
        const bool alone = line.find_first_not_of(" \t") == at || in_docstring;
        const std::size_t text = std::min(line.find_first_not_of("/-#<! \t", at), line.size());
        if (goes_on && alone) {
            found.back().text += ' ' + line.substr(text);
        } else {
            found.push_back({file, number, line.substr(text)});
        }
        goes_on = alone;
    }
    return found;
}

bool is_fence(const std::string& line) {
    return begins(line, "```");
}

/// The paragraphs of a document, and each line of its fenced blocks.
std::vector<Passage> paragraphs(const std::string& file) {
    std::vector<Passage> found;
    bool in_fence = false;
    bool goes_on = false;
    std::size_t number = 0;
    for (const std::string& line : lines_of(read_file(root / file))) {
        ++number;
        if (is_fence(line)) {
            in_fence = !in_fence;
            goes_on = false;
        } else if (in_fence) {
            found.push_back({file, number, line, true});
        } else if (goes_on && !line.empty()) {
            found.back().text += ' ' + line;
        } else {
            found.push_back({file, number, line});
            goes_on = !line.empty();
        }
    }
    return found;
}

/// Whether people of the project wrote the file: not a program, nor upstream.
bool is_own(const std::string& file) {
    return name_of(file) == "README.txt" ||
           !(begins(file, "tests/data/") || begins(file, "tests/expected/") ||
             begins(file, "tests/fuzz/corpus/") || file == "CHANGELOG.md" || file == "LICENSE");
}

}  // namespace

const std::set<std::string>& tree() {
    static const std::set<std::string> all = walk();
    return all;
}

std::string name_of(const std::string& path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

bool is_document(const std::string& file) {
    return ends(file, ".md") || name_of(file) == "README.txt";
}

std::vector<Passage> passages_of(const std::string& file) {
    if (!fs::is_regular_file(root / file) || !is_own(file)) {
        return {};
    }
    if (is_document(file)) {
        return paragraphs(file);
    }
    return comment_mark(file).empty() ? std::vector<Passage>() : comments(file);
}

std::vector<std::string> headings(const fs::path& document) {
    std::vector<std::string> found;
    bool in_fence = false;
    for (const std::string& line : lines_of(read_file(document))) {
        in_fence = in_fence != is_fence(line);
        if (const std::size_t text = line.find_first_not_of('#');
            !in_fence && text > 0 && text != std::string::npos && line[text] == ' ') {
            found.push_back(line.substr(text + 1));
        }
    }
    return found;
}

}  // namespace passages
