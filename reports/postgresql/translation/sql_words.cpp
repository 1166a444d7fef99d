#include "reports/postgresql/translation/sql_words.hpp"

#include <algorithm>

#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

/// Bytes of characters outside of ASCII can be in names, too.
bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool is_of_name(char c) {
    return begins_name(c) || is_digit(c);
}

std::size_t while_is(std::string_view text, std::size_t at, bool (*is_part)(char)) {
    while (at < text.size() && is_part(text[at])) {
        ++at;
    }
    return at;
}

/// The end of what begins at `at` with an opening, up to and with the closing.
std::size_t behind(std::string_view text, std::size_t at, std::string_view closing) {
    const auto found = text.find(closing, at);
    return found == std::string_view::npos ? text.size() : found + closing.size();
}

/// A text in quotes, in which the quote is doubled. In E'...' a backslash takes the next character
/// with it.
std::size_t behind_quotes(std::string_view text, std::size_t at, bool has_escapes) {
    const char quote = text[at++];
    while (at < text.size()) {
        const bool is_escape = has_escapes && text[at] == '\\';
        const bool is_doubled = text[at] == quote && at + 1 < text.size() && text[at + 1] == quote;
        if (text[at] == quote && !is_doubled) {
            return at + 1;
        }
        at += is_escape || is_doubled ? 2 : 1;
    }
    return text.size();
}

/// Comments can be nested in PostgreSQL.
std::size_t behind_comment(std::string_view text, std::size_t at) {
    int depth = 0;
    do {
        if (text.substr(at).starts_with("/*")) {
            ++depth;
            at += 2;
        } else if (text.substr(at).starts_with("*/")) {
            --depth;
            at += 2;
        } else {
            ++at;
        }
    } while (depth > 0 && at < text.size());
    return std::min(at, text.size());
}

/// The opening $$ or $tag$ of a text; empty if there is none.
std::string_view dollar_quote(std::string_view text) {
    const auto end = while_is(text, 1, is_of_name);
    const bool is_quote = end < text.size() && text[end] == '$' && (end == 1 || !is_digit(text[1]));
    return is_quote ? text.substr(0, end + 1) : std::string_view();
}

/// 12, 1.5, 1.5e-3
std::size_t end_of_number(std::string_view text) {
    const auto end = while_is(text, 0, [](char c) { return is_of_name(c) || c == '.'; });
    const bool has_exponent = text[end - 1] == 'e' || text[end - 1] == 'E';
    const bool has_sign = end + 1 < text.size() && (text[end] == '-' || text[end] == '+');
    return has_exponent && has_sign ? while_is(text, end + 1, is_digit) : end;
}

SqlWord first_sql_word(std::string_view text) {
    using Kind = SqlWord::Kind;
    constexpr std::string_view blanks = " \t\n\f\r";
    const auto word = [&](Kind kind, std::size_t size) {
        return SqlWord{kind, text.substr(0, size)};
    };
    const char c = text.front();
    const char next = text.size() > 1 ? text[1] : '\0';
    if (blanks.find(c) != std::string_view::npos) {
        return word(Kind::skipped, text.find_first_not_of(blanks));
    }
    if (c == '-' && next == '-') {
        return word(Kind::skipped, behind(text, 0, "\n"));
    }
    if (c == '/' && next == '*') {
        return word(Kind::skipped, behind_comment(text, 0));
    }
    if (c == '\'' || c == '"') {
        return word(Kind::quoted, behind_quotes(text, 0, false));
    }
    if ((c == 'E' || c == 'e') && next == '\'') {
        return word(Kind::quoted, behind_quotes(text, 1, true));
    }
    if (const auto quote = c == '$' ? dollar_quote(text) : std::string_view(); !quote.empty()) {
        return word(Kind::quoted, behind(text, quote.size(), quote));
    }
    if (begins_name(c)) {
        return word(Kind::name, while_is(text, 0, is_of_name));
    }
    if (is_digit(c)) {
        return word(Kind::number, end_of_number(text));
    }
    if (c == ':' && begins_name(next)) {
        return word(Kind::parameter, while_is(text, 1, is_of_name));
    }
    return word(Kind::sign, c == ':' && next == ':' ? 2 : 1);
}

}  // namespace

std::vector<SqlWord> sql_words(std::string_view sql) {
    std::vector<SqlWord> words;
    while (!sql.empty()) {
        words.push_back(first_sql_word(sql));
        sql.remove_prefix(words.back().text.size());
    }
    return words;
}

}  // namespace cacheledger
