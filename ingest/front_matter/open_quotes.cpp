#include "ingest/front_matter/open_quotes.hpp"

#include <algorithm>
#include <cstddef>

#include "ingest/page/problem.hpp"

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
