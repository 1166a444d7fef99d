#include "schema/specs/list_lines/list_words.hpp"

#include <algorithm>
#include <array>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/text/characters.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t short_hash = 7;

bool is_of_base32(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7');
}

bool ends_word(std::string_view text, std::size_t length) {
    return text.size() <= length || is_blank(text[length]);
}

// "user@host:~$", "❯": what ends the prompt of a shell, and no spec.
bool ends_prompt(std::string_view text) {
    constexpr std::array<std::string_view, 9> ends = {"$", ">", "❯", "〉", "➜", "›", "»", "λ", "✗"};
    return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

// "host%", "[root@host ~]#": what can end one, too.
bool may_end_prompt(std::string_view text) {
    return ends_prompt(text) ||
           (!text.empty() && std::string_view("%#~").find(text.back()) != std::string_view::npos);
}

bool is_spack(std::string_view word) {
    constexpr std::string_view name = "spack";
    const std::string_view before =
        word.substr(0, word.size() - std::min(word.size(), name.size()));
    return word.ends_with(name) && (before.empty() || before.ends_with('/') || ends_prompt(before));
}

// A command of Spack that prints specs, or an option before one. None is the name of a package.
bool prints_specs(std::string_view word) {
    constexpr std::array<std::string_view, 7> commands = {"buildcache", "concretize", "env", "find",
                                                          "load",       "solve",      "spec"};
    return word.starts_with('-') || std::ranges::find(commands, word) != commands.end();
}

}  // namespace

bool is_blank(char c) {
    return spec_blanks.find(c) != std::string_view::npos;
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(spec_blanks));
}

std::size_t width_of(std::string_view blanks) {
    constexpr std::size_t of_tab = 8;
    const auto tabs = static_cast<std::size_t>(std::ranges::count(blanks, '\t'));
    return blanks.size() + tabs * (of_tab - 1);
}

bool is_short_hash(std::string_view word) {
    return word.size() == short_hash && std::ranges::all_of(word, is_of_base32);
}

bool has_digit_within(std::string_view word) {
    return !word.empty() && std::ranges::any_of(word.substr(0, word.size() - 1), is_digit);
}

bool is_dashes(std::string_view word) {
    return word.size() >= short_hash && word.find_first_not_of('-') == std::string_view::npos;
}

std::size_t mark_length(std::string_view text) {
    constexpr std::size_t in_brackets = 3;
    if (text.starts_with('-')) {
        return ends_word(text, 1) ? 1 : 0;
    }
    const bool is_mark = text.size() >= in_brackets && text[0] == '[' && text[2] == ']' &&
                         ends_word(text, in_brackets);
    return is_mark ? in_brackets : 0;
}

std::size_t types_length(std::string_view text) {
    constexpr std::size_t least = 5;
    constexpr std::size_t most = 6;  // test dependencies came later
    const std::size_t close = text.substr(0, most).find(']');
    if (!text.starts_with('[') || close == std::string_view::npos || close + 1 < least ||
        !ends_word(text, close + 1)) {
        return 0;
    }
    const bool is_types =
        text.substr(1, close - 1).find_first_not_of("blrt -") == std::string_view::npos;
    return is_types ? close + 1 : 0;
}

bool begins_with_name(std::string_view text) {
    const std::size_t length = SpecScanner(text).word_length("-.");
    const std::string_view behind = text.substr(length);
    return length > 0 && !behind.starts_with('=') && !behind.starts_with(":=");
}

bool begins_with_version(std::string_view text) {
    return begins_with_name(text) && text.substr(SpecScanner(text).word_length("-."), 1) == "@";
}

bool is_command(std::string_view line) {
    const bool has_name = std::ranges::any_of(line, [](char c) {
        return begins_with_name({&c, 1});
    });
    if (ends_prompt(line) || line.ends_with("~ %") || (!has_name && may_end_prompt(line))) {
        return true;
    }
    std::string_view before;
    while (!line.empty()) {
        const std::string_view word = first_word(line);
        if (word.find_first_of("'\"") != std::string_view::npos) {
            return false;
        }
        line.remove_prefix(word.size());
        const bool is_one_blank = line.size() > 1 && !is_blank(line[1]);
        line.remove_prefix(std::min(line.find_first_not_of(spec_blanks), line.size()));
        const bool calls_spack =
            is_one_blank && is_spack(word) &&
            (prints_specs(first_word(line)) || (may_end_prompt(before) && begins_with_name(line)));
        if (word.ends_with('$') || calls_spack) {
            return true;
        }
        before = word;
    }
    return false;
}

bool is_path(std::string_view text, bool is_no_hash) {
    return text.starts_with('/') &&
           (is_no_hash || first_word(text).find('/', 1) != std::string_view::npos ||
            text.substr(first_word(text).size()).starts_with(" ("));
}

bool expects_more(char c) {
    return std::string_view("@%^+~,=").find(c) != std::string_view::npos;
}

std::size_t yaml_quoted_length(std::string_view text) {
    if (!text.starts_with('\'') && !text.starts_with('"')) {
        return 0;
    }
    const char quote = text.front();
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool is_escape = quote == '"' && text[i] == '\\';
        if (is_escape || (quote == '\'' && text.substr(i, 2) == "''")) {
            ++i;
        } else if (text[i] == quote) {
            return i + 1;
        }
    }
    return 0;
}

std::string without_yaml_quotes(std::string_view quoted) {
    const bool is_double = quoted.front() == '"';
    const std::string_view inner = quoted.substr(1, quoted.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const bool escapes = inner[i] == (is_double ? '\\' : '\'') && i + 1 < inner.size();
        text += inner[escapes ? ++i : i];
    }
    return text;
}

}  // namespace cacheledger
