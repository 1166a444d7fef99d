#include "schema/ledger/check/check_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// The tokens of a CREATE statement: words, names, numbers and punctuation.
using Tokens = std::vector<std::string>;

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// The end of a token that begins at `begin` and includes the next `stop`.
std::size_t end_behind(std::string_view text, std::size_t begin, std::string_view stop) {
    const std::size_t found = text.find(stop, begin);
    return found == std::string_view::npos ? text.size() : found + stop.size();
}

std::size_t end_of_token(std::string_view sql, std::size_t begin) {
    const char first = sql[begin];
    if (sql.substr(begin, 2) == "--") {
        return end_behind(sql, begin, "\n");
    }
    if (sql.substr(begin, 2) == "/*") {
        return end_behind(sql, begin + 2, "*/");
    }
    if (std::string_view("'\"`[").find(first) != std::string_view::npos) {
        return end_behind(sql, begin + 1, first == '[' ? "]" : std::string_view(&first, 1));
    }
    std::size_t end = begin + 1;
    while (is_word(first) && end < sql.size() && is_word(sql[end])) {
        ++end;
    }
    return end;
}

// SQLite stores a statement as it was written. Its comments and blanks have no meaning and are left
// out.
Tokens tokens_of(std::string_view sql) {
    Tokens tokens;
    for (std::size_t begin = 0; begin < sql.size();) {
        const std::size_t end = end_of_token(sql, begin);
        const std::string_view token = sql.substr(begin, end - begin);
        const bool is_comment = token.starts_with("--") || token.starts_with("/*");
        if (!is_comment && std::isspace(static_cast<unsigned char>(token.front())) == 0) {
            tokens.emplace_back(token);
        }
        begin = end;
    }
    return tokens;
}

// "index spec_hash": CREATE UNIQUE INDEX ...
struct Part {
    std::string type;
    Tokens tokens;
};
using Parts = std::map<std::string, Part>;

Parts parts_of(SQLite::Database& database) {
    Parts parts;
    for (const auto& [type, name, table, sql] :
         rows<std::string, std::string, std::string, std::string_view>(
             database,
             "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'view'")) {
        Part part{type, tokens_of(sql)};
        if (part.tokens.empty()) {  // an index that SQLite made itself
            part.tokens = {"of", table};
        }
        parts.emplace(fmt::format("{} {}", type, name), std::move(part));
    }
    return parts;
}

// The tokens to show in a message, from the first difference on.
std::string excerpt(const Tokens& tokens, std::size_t first) {
    constexpr std::size_t length = 6;
    const auto from = static_cast<std::ptrdiff_t>(std::min(first, tokens.size()));
    const auto to = static_cast<std::ptrdiff_t>(std::min(first + length, tokens.size()));
    return fmt::format("{}", fmt::join(tokens.begin() + from, tokens.begin() + to, " "));
}

std::string difference(const std::string& name, const Tokens& found, const Tokens& expected) {
    const auto at = static_cast<std::size_t>(
        std::mismatch(found.begin(), found.end(), expected.begin(), expected.end()).first -
        found.begin());
    return fmt::format("schema: the {} says '{}', expected '{}'", name, excerpt(found, at),
                       excerpt(expected, at));
}

void compare_parts(const Parts& found, const Parts& expected, SchemaProblems& problems) {
    const auto add = [&](const Part& part, std::string line) {
        problems.lines.push_back(std::move(line));
        problems.in_tables = problems.in_tables || part.type == "table";
    };
    for (const auto& [name, part] : expected) {
        const auto same = found.find(name);
        if (same == found.end()) {
            add(part, fmt::format("schema: the {} is not there", name));
        } else if (same->second.tokens != part.tokens) {
            add(part, difference(name, same->second.tokens, part.tokens));
        }
    }
    for (const auto& [name, part] : found) {
        if (!expected.contains(name)) {
            problems.lines.push_back(
                fmt::format("schema: the {} does not belong to a ledger", name));
        }
    }
}

// "index spec_hash": "150000 1 1"
using Statistics = std::map<std::string, std::string>;

Statistics statistics_of(SQLite::Database& database) {
    Statistics statistics;
    for (const auto& [name, stat] : rows<std::string, std::string>(
             database, "SELECT ifnull('index ' || idx, 'table ' || tbl), stat FROM sqlite_stat1")) {
        statistics[name] = stat;
    }
    return statistics;
}

void compare_statistics(const Statistics& found, const Statistics& expected,
                        std::vector<std::string>& lines) {
    Statistics all = expected;
    all.insert(found.begin(), found.end());
    const auto told = [](const Statistics& statistics, const std::string& name) {
        const auto row = statistics.find(name);
        return row == statistics.end() ? "nothing" : fmt::format("'{}'", row->second);
    };
    for (const auto& [name, any] : all) {
        if (told(found, name) != told(expected, name)) {
            lines.push_back(fmt::format("statistics: sqlite_stat1 says {} of the {}, expected {}",
                                        told(found, name), name, told(expected, name)));
        }
    }
}

// "(came IN(0,1))": the conditions behind each CHECK of a CREATE statement.
std::vector<std::string> check_clauses(const Tokens& tokens) {
    std::vector<std::string> clauses;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i] != "CHECK") {
            continue;
        }
        std::string clause;
        int depth = 0;
        do {
            const std::string& token = tokens[++i];
            depth += token == "(" ? 1 : 0;
            depth -= token == ")" ? 1 : 0;
            clause +=
                !clause.empty() && is_word(clause.back()) && is_word(token.front()) ? " " : "";
            clause += token;
        } while (depth > 0 && i + 1 < tokens.size());
        clauses.push_back(std::move(clause));
    }
    return clauses;
}

}  // namespace

std::vector<std::string> check_clause_problems(SQLite::Database& database) {
    std::vector<std::string> lines;
    for (const auto& [name, part] : parts_of(database)) {
        if (part.type != "table") {
            continue;
        }
        const std::string table = name.substr(part.type.size() + 1);
        for (const std::string& clause : check_clauses(part.tokens)) {
            const auto wrong = only_value<std::int64_t>(
                database, fmt::format("SELECT count(*) FROM {} WHERE NOT {}", table, clause));
            if (wrong > 0) {
                lines.push_back(
                    fmt::format("{}: not so in {} of its rows: {}", table, wrong, clause));
            }
        }
    }
    return lines;
}

SchemaProblems compare_schema(SQLite::Database& database) {
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(fresh);
    SchemaProblems problems;
    compare_parts(parts_of(database), parts_of(fresh), problems);
    if (!problems.in_tables) {
        compare_statistics(statistics_of(database), statistics_of(fresh), problems.lines);
    }
    return problems;
}

}  // namespace cacheledger
