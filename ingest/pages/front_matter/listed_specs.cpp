#include "ingest/pages/front_matter/listed_specs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "ingest/bytes/problems/problem.hpp"

namespace cacheledger {

namespace {

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
