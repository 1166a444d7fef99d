#include "src/shell/completion/typed_line.hpp"

#include <algorithm>

namespace cacheledger {

namespace {

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

}  // namespace

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

}  // namespace cacheledger
