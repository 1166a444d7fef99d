#include "reports/postgresql/translation/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "reports/engine/server/connection.hpp"
#include "schema/errors/error.hpp"
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

using SqlWords = std::vector<SqlWord>;

/// What can follow a table of a FROM clause and is no condition for it.
constexpr std::array<std::string_view, 17> ends_of_table = {
    "CROSS", "JOIN",  "LEFT",  "INNER",  "NATURAL",   "WHERE",     "GROUP", "HAVING", "WINDOW",
    "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "RETURNING", ",",     ";"};

/// Whether a condition follows the table that stands at `at`, outside of brackets.
bool has_condition(const SqlWords& words, std::size_t at) {
    int depth = 0;
    for (; at < words.size(); ++at) {
        const SqlWord& word = words[at];
        depth += word.is("(") ? 1 : word.is(")") ? -1 : 0;
        if (depth == 0 && (word.is("ON") || word.is("USING"))) {
            return true;
        }
        const auto is_word = [&](std::string_view end) { return word.is(end); };
        if (depth < 0 || (depth == 0 && std::ranges::any_of(ends_of_table, is_word))) {
            return false;
        }
    }
    return false;
}

/// A text sorts by its bytes, as in SQLite, whatever the database's own order is.
std::string typed(std::size_t number, bool is_integer) {
    return is_integer ? fmt::format("CAST(${} AS bigint)", number)
                      : fmt::format("(CAST(${} AS text) COLLATE \"C\")", number);
}

bool is_integer(const std::vector<Parameter>& parameters, std::string_view name) {
    const auto found = std::ranges::find(parameters, name, &Parameter::name);
    return found != parameters.end() && found->type == ParameterType::integer;
}

/// Where the words are that are neither blanks nor comments.
std::vector<std::size_t> places_of_code(const SqlWords& words) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].kind != SqlWord::Kind::skipped) {
            places.push_back(i);
        }
    }
    return places;
}

bool begins_expression(const SqlWord& before) {
    constexpr std::array<std::string_view, 8> openers = {"AND", "OR",    "NOT", "ON",
                                                         "BY",  "WHERE", "(",   ","};
    return std::ranges::any_of(openers, [&](std::string_view opener) { return before.is(opener); });
}

/// Whether a column `a.x_id` stands there.
bool is_id(const SqlWords& words, const std::vector<std::size_t>& places, std::size_t i) {
    return i + 2 < places.size() && words[places[i]].kind == SqlWord::Kind::name &&
           words[places[i + 1]].is(".") && words[places[i + 2]].kind == SqlWord::Kind::name &&
           words[places[i + 2]].text.ends_with("_id");
}

/// A comparison for which NULL equals NULL: `IS` or `IS NOT` before a value, or their long forms.
struct NullComparison {
    std::size_t words = 0;  // of the comparison; 0: there is none
    bool equal = true;
};

NullComparison null_comparison(const SqlWords& words, const std::vector<std::size_t>& places,
                               std::size_t i) {
    constexpr std::array<std::string_view, 5> states = {"NULL", "TRUE", "FALSE", "UNKNOWN", "OF"};
    const auto is = [&](std::size_t k, std::string_view text) {
        return i + k < places.size() && words[places[i + k]].is(text);
    };
    if (!is(0, "IS")) {
        return {};
    }
    const std::size_t more = is(1, "NOT") ? 1 : 0;
    if (is(1 + more, "DISTINCT")) {
        return {3 + more, more == 1};
    }
    const bool is_state =
        std::ranges::any_of(states, [&](std::string_view state) { return is(1 + more, state); });
    return is_state ? NullComparison{} : NullComparison{1 + more, more == 0};
}

/// Equal ids are compared as numbers, which PostgreSQL can look up: 0 is no id.
void compare_with_null(const SqlWords& words, std::vector<std::string>& texts,
                       const std::vector<std::size_t>& places, std::size_t i,
                       NullComparison comparison) {
    const auto text = [&](std::size_t k) -> std::string& { return texts[places[k]]; };
    const std::size_t right = i + comparison.words;
    const bool ids =
        comparison.equal && i >= 3 && is_id(words, places, i - 3) && is_id(words, places, right);
    if (ids) {
        for (const std::size_t begin : {i - 3, right}) {
            text(begin) = fmt::format("coalesce({}", text(begin));
            text(begin + 2) += ", 0)";
        }
    }
    text(i) = ids ? "=" : comparison.equal ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM";
    for (std::size_t k = i + 1; k < right; ++k) {
        for (std::size_t word = places[k - 1] + 1; word <= places[k]; ++word) {
            texts[word].clear();
        }
    }
}

std::string literal(const Value& value) {
    if (is_null(value)) {
        return "NULL";
    }
    return is_number(value) ? to_text(value) : quoted_text(to_text(value));
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

std::size_t StatementValues::number_of(const std::string& parameter) {
    const auto known = std::ranges::find(names_, parameter);
    if (known != names_.end()) {
        return static_cast<std::size_t>(known - names_.begin()) + 1;
    }
    const auto value = arguments_.find(parameter);
    if (value == arguments_.end()) {
        throw UsageError(fmt::format("no value is given for the parameter :{}", parameter));
    }
    names_.push_back(parameter);
    values_.push_back(value->second);
    return values_.size();
}

std::size_t StatementValues::add(Value value) {
    names_.emplace_back();
    values_.push_back(std::move(value));
    return values_.size();
}

void StatementValues::refuse_unused() const {
    for (const auto& argument : arguments_) {
        if (std::ranges::find(names_, argument.first) == names_.end()) {
            throw UsageError(fmt::format("the SQL has no parameter :{}", argument.first));
        }
    }
}

std::string to_postgresql(std::string_view sql, const std::vector<Parameter>& parameters,
                          StatementValues& values) {
    const SqlWords words = sql_words(sql);
    std::vector<std::string> texts;
    for (const SqlWord& word : words) {
        texts.emplace_back(word.text);
    }
    const auto places = places_of_code(words);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const SqlWord& word = words[places[i]];
        const auto next = [&](std::size_t distance) -> const SqlWord& {
            static const SqlWord none{};
            return i + distance < places.size() ? words[places[i + distance]] : none;
        };
        std::string& text = texts[places[i]];
        if (word.kind == SqlWord::Kind::parameter) {
            const std::string name(word.text.substr(1));
            text = typed(values.number_of(name), is_integer(parameters, name));
        } else if (word.is("CROSS") && has_condition(words, places[i] + 3)) {
            text = "INNER";  // CROSS, a blank, JOIN
        } else if (word.kind == SqlWord::Kind::number &&
                   word.text.find('.') != std::string_view::npos) {
            text = fmt::format("CAST({} AS double precision)", word.text);
        } else if ((word.is("sum") || word.is("SUM")) && next(1).is("(")) {
            text = "sum_of";
        } else if (word.is("group_concat") && next(1).is("(")) {
            text = "string_agg";  // only a superuser could make an aggregate of it
        } else if (word.is("+") && i > 0 && begins_expression(words[places[i - 1]]) &&
                   next(1).kind == SqlWord::Kind::name) {
            text.clear();
        } else if (const auto found = null_comparison(words, places, i); found.words > 0) {
            compare_with_null(words, texts, places, i, found);
        }
    }
    return fmt::format("{}", fmt::join(texts, ""));
}

std::string to_postgresql(std::string_view sql) {
    const Arguments none;
    StatementValues values(none);
    return to_postgresql(sql, {}, values);
}

PortableStatement number_parameters(const std::string& origin, const std::string& sql,
                                    const Arguments& arguments) {
    StatementValues values(arguments);
    std::string text;
    try {
        SqlWord::Kind before = SqlWord::Kind::skipped;  // of what stands before a '$'
        for (const SqlWord& word : sql_words(sql)) {
            if (word.kind == SqlWord::Kind::number && text.ends_with('$') &&
                before != SqlWord::Kind::name) {
                throw UsageError(fmt::format(
                    "${0}: expected a parameter with a name, such as :p{0}", word.text));
            }
            if (word.kind == SqlWord::Kind::parameter) {
                text += fmt::format("${}", values.number_of(std::string(word.text.substr(1))));
            } else {
                text += word.text;
            }
            before = word.is("$") ? before : word.kind;
        }
        values.refuse_unused();
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", origin, error.what()));
    }
    return {std::move(text), values.take()};
}

std::string with_values(const PortableStatement& statement) {
    std::string text;
    const SqlWords words = sql_words(statement.sql);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].is("$") && i + 1 < words.size() &&
            words[i + 1].kind == SqlWord::Kind::number) {
            ++i;
            text += literal(statement.values.at(std::stoul(std::string(words[i].text)) - 1));
        } else {
            text += words[i].text;
        }
    }
    return text;
}

}  // namespace cacheledger
