#include "reports/portable/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "reports/portable/sql_words.hpp"
#include "reports/postgresql/connection.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

using Words = std::vector<SqlWord>;

/// What can follow a table of a FROM clause and is no condition for it.
constexpr std::array<std::string_view, 17> ends_of_table = {
    "CROSS", "JOIN",  "LEFT",  "INNER",  "NATURAL",   "WHERE",     "GROUP", "HAVING", "WINDOW",
    "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "RETURNING", ",",     ";"};

/// Whether a condition follows the table that stands at `at`, outside of brackets.
bool has_condition(const Words& words, std::size_t at) {
    int depth = 0;
    for (; at < words.size(); ++at) {
        const SqlWord& word = words[at];
        if (word.is("(")) {
            ++depth;
        } else if (word.is(")") && --depth < 0) {
            return false;
        } else if (depth == 0 && (word.is("ON") || word.is("USING"))) {
            return true;
        } else if (depth == 0 && std::ranges::any_of(ends_of_table, [&](std::string_view end) {
                       return word.is(end);
                   })) {
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

std::string literal(const Value& value) {
    if (is_null(value)) {
        return "NULL";
    }
    return is_number(value) ? to_text(value) : quoted_text(to_text(value));
}

}  // namespace

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
    std::string text;
    const Words words = sql_words(sql);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const SqlWord& word = words[i];
        if (word.kind == SqlWord::Kind::parameter) {
            const std::string name(word.text.substr(1));
            text += typed(values.number_of(name), is_integer(parameters, name));
        } else if (word.is("CROSS") && has_condition(words, i + 3)) {
            // CROSS, a blank, JOIN
            text += "INNER";
        } else {
            text += word.text;
        }
    }
    return text;
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
        for (const SqlWord& word : sql_words(sql)) {
            if (word.kind == SqlWord::Kind::parameter) {
                text += fmt::format("${}", values.number_of(std::string(word.text.substr(1))));
            } else {
                text += word.text;
            }
        }
        values.refuse_unused();
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", origin, error.what()));
    }
    return {std::move(text), values.take()};
}

std::string with_values(const PortableStatement& statement) {
    std::string text;
    const Words words = sql_words(statement.sql);
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
