#include "ingest/pages/front_matter/limited_yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"

namespace cacheledger {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// Where the quote at `begin` is closed, or npos.
std::size_t end_of_quoted(std::string_view line, std::size_t begin) {
    const char quote = line[begin];
    for (std::size_t i = begin + 1; i < line.size(); ++i) {
        if (line[i] == '\\' && quote == '"') {
            ++i;
        } else if (line[i] == quote) {
            const bool is_doubled = i + 1 < line.size() && line[i + 1] == quote;
            if (quote == '"' || !is_doubled) {
                return i;
            }
            ++i;  // '' is ' between single quotes
        }
    }
    return std::string_view::npos;
}

// Whether a quote stays open at the end of the line. A quote within plain text (5" disk, it's) or
// in a comment is none.
bool leaves_quote_open(std::string_view line, std::size_t& open_brackets) {
    bool may_begin = true;  // a quote may, here
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool is_last = i + 1 == line.size() || is_blank(line[i + 1]);
        if (c == '#' && (i == 0 || is_blank(line[i - 1]))) {
            return false;
        }
        if (may_begin && (c == '"' || c == '\'')) {
            i = end_of_quoted(line, i);
            if (i == std::string_view::npos) {
                return true;
            }
        } else if (may_begin && (c == '&' || c == '!')) {  // an anchor or a tag, before its text
            i = std::min(line.find_first_of(" \t", i), line.size());
        } else if ((c == '[' || c == '{') && (may_begin || open_brackets > 0)) {
            ++open_brackets;
            may_begin = true;
        } else if ((c == ']' || c == '}') && open_brackets > 0) {
            --open_brackets;
            may_begin = false;
        } else if (c == ',' && open_brackets > 0) {
            may_begin = true;
        } else if (c == ':') {
            may_begin = may_begin || is_last;
        } else if (c == '-' || c == '?') {
            may_begin = may_begin && is_last;
        } else {
            may_begin = may_begin && is_blank(c);
        }
    }
    return false;
}

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// A text that means itself in YAML, with quotes or without: zlib, v0.18.0, py-3to2. Not `null`,
// which is no text.
std::optional<std::string_view> plain_word(std::string_view text) {
    const bool quoted = text.size() > 2 && text.front() == '"' && text.back() == '"';
    const std::string_view word = quoted ? text.substr(1, text.size() - 2) : text;
    if (word.empty() || !is_letter_or_digit(word.front()) || !std::ranges::all_of(word, [](char c) {
            return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
        })) {
        return std::nullopt;
    }
    if (word.size() == 4 && (word == "null" || word == "Null" || word == "NULL")) {
        return std::nullopt;
    }
    return word;
}

// The two texts of "[package, develop]".
std::optional<std::pair<std::string_view, std::string_view>> plain_pair(std::string_view text) {
    const std::size_t comma = text.find(", ");
    if (comma == std::string_view::npos || !text.starts_with('[') || !text.ends_with(']')) {
        return std::nullopt;
    }
    const auto first = plain_word(text.substr(1, comma - 1));
    const auto second = plain_word(text.substr(comma + 2, text.size() - comma - 3));
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

bool read_line(std::string_view key, std::string_view value, FrontMatter& page) {
    if (key == "categories") {
        const auto categories = plain_pair(value);
        if (!categories || categories->first != "package") {
            return false;
        }
        page.is_page = true;
        page.tag = categories->second;
        return true;
    }
    const auto word = plain_word(value);
    if (word && key == "title") {
        page.title = *word;
        return true;
    }
    if (word == "cache" && key == "layout") {
        page.is_page = true;
        return true;
    }
    return false;
}

std::string_view without_blanks(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// Removes a quoted YAML text from the beginning of `rest` and returns it.
std::string take_quoted(std::string_view& rest, int line) {
    const char quote = rest.front();
    std::string text;
    for (std::size_t i = 1; i < rest.size(); ++i) {
        const char next = i + 1 < rest.size() ? rest[i + 1] : '\0';
        if (rest[i] == quote && !(quote == '\'' && next == quote)) {
            rest.remove_prefix(i + 1);
            return text;
        }
        if (rest[i] == quote) {
            ++i;  // '' is ' between single quotes
        } else if (rest[i] == '\\' && quote == '"') {
            if (next != '"' && next != '\\') {
                refuse_line(line, R"(expected no escapes but \" and \\ in a text)");
            }
            ++i;
        }
        text += rest[i];
    }
    refuse_line(line, "a quote is not closed on its line");
}

// Removes a plain YAML text from the beginning of `rest` and returns it. It ends at ": " or " #".
std::string take_plain(std::string_view& rest, int line) {
    if (std::string_view("[]{},&*!|>%@`#?").find(rest.front()) != std::string_view::npos) {
        refuse_line(line, fmt::format("expected a text, found '{}'", rest));
    }
    std::size_t end = std::min({rest.find(": "), rest.find(" #"), rest.size()});
    if (end == rest.size() && rest.ends_with(':')) {
        --end;
    }
    std::string text(without_blanks(rest.substr(0, end)));
    rest.remove_prefix(end);
    return text;
}

std::string take_text(std::string_view& rest, int line) {
    rest = without_blanks(rest);
    if (rest.empty()) {
        refuse_line(line, "expected a text behind '- '");
    }
    const bool quoted = rest.front() == '"' || rest.front() == '\'';
    std::string text = quoted ? take_quoted(rest, line) : take_plain(rest, line);
    rest = without_blanks(rest);
    return text;
}

// The one text of '- TEXT', or the two of '- TEXT: TEXT'.
std::vector<std::string> read_item(const FrontMatter::Raw& item) {
    std::string_view rest = item.text.substr(1);
    std::vector<std::string> texts = {take_text(rest, item.line)};
    if (rest.starts_with(':')) {
        rest.remove_prefix(1);
        texts.push_back(take_text(rest, item.line));
    }
    if (!rest.empty() && !rest.starts_with('#')) {
        refuse_line(item.line,
                    fmt::format("expected '- FILE' or '- NAME: FILE', found '{}'", item.text));
    }
    return texts;
}

[[noreturn]] void refuse_name(int line) {
    refuse_line(line, "expected the name of a spec that has no other name");
}

void add_names(const std::vector<FrontMatter::Raw>& names, std::vector<ListedSpec>& specs) {
    for (std::size_t i = 0; i < std::min(names.size(), specs.size()); ++i) {
        if (specs[i].name) {
            refuse_name(names[i].line);
        }
        specs[i].name = read_spec_name(names[i]);
    }
    if (names.size() != specs.size()) {
        const int line = !names.empty() ? names.back().line : specs.back().line;
        refuse_line(line, fmt::format("expected as many spec_names as spec_files, found {} and {}",
                                      names.size(), specs.size()));
    }
}

}  // namespace

void LimitedYaml::add(std::string_view line, int number) {
    if (line.find('\0') != std::string_view::npos) {
        // At the beginning yaml-cpp takes one for another encoding, and reads nothing.
        refuse_line(number, "a NUL character");
    }
    brackets_ += static_cast<std::size_t>(
        std::ranges::count_if(line, [](char c) { return c == '[' || c == '{'; }));
    if (brackets_ > most_brackets ||
        std::min(line.find_first_not_of("-?: \t"), line.size()) > most_indicators) {
        refuse_line(number, "nested too deeply for the front matter of a page");
    }
    if (line.find('\r') != std::string_view::npos) {
        refuse_line(number,
                    "expected lines that end with a line feed, found a carriage return alone");
    }
    if (line.starts_with("---") || line.starts_with("...")) {
        refuse_line(number, "expected one YAML document, here it ends");
    }
    if (text_.size() + line.size() > most_yaml) {
        refuse_line(number, "the front matter beside meta and spec_details is longer than 1 MiB");
    }
    text_ += line;
    text_ += '\n';
}

void refuse_open_quotes(std::string_view yaml) {
    std::size_t open_brackets = 0;
    for (int number = 1; !yaml.empty(); ++number) {
        if (leaves_quote_open(take_line(yaml), open_brackets)) {
            refuse_line(number, "broken YAML: a quote is not closed on its line");
        }
    }
}

bool read_simple_front_matter(std::string_view lines, FrontMatter& page) {
    FrontMatter read = page;
    std::set<std::string_view> keys;
    while (!lines.empty()) {
        const std::string_view line = take_line(lines);
        if (line.empty()) {
            continue;
        }
        const std::size_t colon = line.find(": ");
        if (colon == std::string_view::npos || !keys.insert(line.substr(0, colon)).second ||
            !read_line(line.substr(0, colon), line.substr(colon + 2), read)) {
            return false;
        }
    }
    page = std::move(read);
    return true;
}

std::string read_spec_name(const FrontMatter::Raw& item) {
    auto texts = read_item(item);
    if (texts.size() != 1) {
        refuse_name(item.line);
    }
    return std::move(texts[0]);
}

std::vector<ListedSpec> read_listed_specs(const FrontMatter& front) {
    std::vector<ListedSpec> specs;
    std::set<std::string> files;
    for (const FrontMatter::Raw& item : front.spec_files.value()) {
        auto texts = read_item(item);
        ListedSpec spec;
        spec.line = item.line;
        spec.file = std::move(texts.back());
        if (texts.size() == 2) {
            spec.name = std::move(texts.front());
        }
        if (!files.insert(spec.file).second) {
            refuse_line(item.line, fmt::format("{} is listed twice", spec.file));
        }
        specs.push_back(std::move(spec));
    }
    if (front.spec_names) {
        add_names(*front.spec_names, specs);
    }
    return specs;
}

}  // namespace cacheledger
