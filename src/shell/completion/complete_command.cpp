#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/table/text_width.hpp"
#include "src/commands/list/command.hpp"
#include "src/shell/completion/complete.hpp"

namespace cacheledger {

namespace {

/// What is typed so far in a shell, as bash shows it to completions.

/// A command line up to the cursor, taken apart by the rules of a POSIX shell. Nothing is expanded.
struct TypedLine {
    std::vector<std::string> words;  ///< those that are complete, without quotes
    std::string current;             ///< the last one, without quotes
    char open_quote = '\0';          ///< the quote that `current` is in: ' or ", else none
    /// How much of `current` stays as it is when bash replaces what it completes: up to the last
    /// of `breaks` (without it if that is @ or $), or to the open quote.
    std::size_t kept = 0;
};

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

// Behind other breaks bash begins a new word; these are a part of the word that they begin.
bool is_kept_at_begin(char c) {
    return c == '@' || c == '$';
}

bool needs_backslash(char c, bool is_first) {
    constexpr std::string_view special = " \t\n'\"\\`$&|;<>(){}[]*?!#";
    return special.find(c) != std::string_view::npos || (is_first && c == '~');
}

/// `breaks`: the characters at which bash begins a new word to complete (COMP_WORDBREAKS).
TypedLine read_typed_line(std::string_view line, std::string_view breaks) {
    TypedLine typed;
    bool in_word = false;
    std::size_t kept_outside = 0;  // what is kept again when the open quote ends
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (typed.open_quote != '\0') {
            const bool escapes =
                typed.open_quote == '"' && c == '\\' && i + 1 < line.size() &&
                std::string_view("\"\\$`").find(line[i + 1]) != std::string_view::npos;
            if (c == typed.open_quote) {
                typed.open_quote = '\0';
                typed.kept = kept_outside;
            } else {
                typed.current += escapes ? line[++i] : c;
            }
        } else if (is_blank(c)) {
            if (in_word) {
                typed.words.push_back(typed.current);
            }
            typed.current.clear();
            typed.kept = 0;
            in_word = false;
        } else if (c == '\'' || c == '"') {
            typed.open_quote = c;
            kept_outside = typed.kept;
            typed.kept = typed.current.size();
            in_word = true;
        } else {
            in_word = true;
            if (c == '\\' && i + 1 < line.size()) {
                typed.current += line[++i];
            } else if (c != '\\') {
                typed.current += c;
                if (breaks.find(c) != std::string_view::npos) {
                    typed.kept = typed.current.size() - (is_kept_at_begin(c) ? 1 : 0);
                }
            }
        }
    }
    return typed;
}

/// The text that bash inserts for the candidate: without what is kept, and quoted as the user began
/// to.
std::string insertion_for(const TypedLine& line, const std::string& candidate) {
    const std::string rest = candidate.substr(std::min(line.kept, candidate.size()));
    std::string text;
    for (const char c : rest) {
        if (line.open_quote == '\0') {
            text += needs_backslash(c, text.empty() && line.kept == 0) ? "\\" : "";
        } else if (line.open_quote == '"') {
            text += std::string_view("\"\\$`").find(c) == std::string_view::npos ? "" : "\\";
        } else if (c == '\'') {
            text += "'\\'";
        }
        text += c;
    }
    return text;
}

/// A short explanation: the first clause.
std::string clause(const std::string& about) {
    const std::size_t end = std::min({about.find("; "), about.find(". "), about.find(" (")});
    return visible(about.substr(0, end));
}

void print(const Completion& found, const TypedLine* line) {
    for (const Candidate& one : found.candidates) {
        if (is_visible(one.text)) {
            std::cout << (line == nullptr ? one.text : insertion_for(*line, one.text));
            if (!one.about.empty()) {
                std::cout << "\t" << clause(one.about);
            }
            std::cout << "\n";
        }
    }
    if (found.paths != Paths::none) {
        std::cout << (found.paths == Paths::files ? "\tfiles\n" : "\tfolders\n");
    }
    std::cout.flush();
}

void complete_words(const Invocation& invocation) {
    std::vector<std::string> words = invocation.arguments;
    words.erase(words.begin());
    std::string current;
    if (!words.empty()) {
        current = words.back();
        words.pop_back();
    }
    print(complete(words, current, invocation.database), nullptr);
}

void complete_line(const Invocation& invocation) {
    TypedLine line = read_typed_line(invocation.arguments[1], invocation.arguments[2]);
    if (!line.words.empty()) {  // the name of the program
        line.words.erase(line.words.begin());
        print(complete(line.words, line.current, invocation.database), &line);
    }
}

}  // namespace

ExitStatus run_complete(const Invocation& invocation) {
    const auto& arguments = invocation.arguments;
    try {
        if (!arguments.empty() && arguments[0] == "--") {
            complete_words(invocation);
        } else if (arguments.size() == 3 && arguments[0] == "--line") {
            complete_line(invocation);
        }
    } catch (const std::exception&) {  // a shell that completes has no use for a message
        return exit_done;
    }
    return exit_done;
}

}  // namespace cacheledger
