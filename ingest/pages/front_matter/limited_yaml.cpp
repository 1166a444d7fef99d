#include "ingest/pages/front_matter/limited_yaml.hpp"

#include <algorithm>
#include <cstddef>

#include "ingest/bytes/problems/problem.hpp"

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

}  // namespace

void LimitedYaml::add(std::string_view line, int number) {
    if (line.find('\0') != std::string_view::npos) {
        // At the beginning yaml-cpp takes one for another encoding, and reads nothing.
        refuse_line(number, "a NUL character");
    }
    brackets_ += static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return c == '[' || c == '{'; }));
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
        const std::size_t end = std::min(yaml.find('\n'), yaml.size());
        if (leaves_quote_open(yaml.substr(0, end), open_brackets)) {
            refuse_line(number, "broken YAML: a quote is not closed on its line");
        }
        yaml.remove_prefix(std::min(end + 1, yaml.size()));
    }
}

}  // namespace cacheledger
