#include "src/commands/sql/sql_notes.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <set>
#include <string_view>

#include "schema/errors/error.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// A query with more texts than this is not about a few snapshots.
constexpr std::size_t most_texts = 100;

/// The texts in single or double quotes. SQLite treats double quotes as a text if no column has
/// that name.
std::set<std::string> quoted_texts(std::string_view sql) {
    std::set<std::string> texts;
    std::size_t at = 0;
    const auto skip_behind = [&](std::string_view end) {
        const auto found = sql.find(end, at);
        at = found == std::string_view::npos ? sql.size() : found + end.size();
    };
    while (at < sql.size() && texts.size() < most_texts) {
        const char quote = sql[at];
        if (sql.substr(at).starts_with("--")) {
            skip_behind("\n");
        } else if (sql.substr(at).starts_with("/*")) {
            skip_behind("*/");
        } else if (quote == '\'' || quote == '"') {
            const std::size_t begin = ++at;
            skip_behind(std::string_view(&quote, 1));
            texts.emplace(sql.substr(begin, at - 1 - begin));
        } else {
            ++at;
        }
    }
    return texts;
}

/// Whether the answer has no rows, or one row of only NULL and 0: the sums and counts of no rows.
bool is_empty(const ResultTable& answer) {
    const auto is_nothing = [](const Value& value) {
        return is_null(value) || value == Value(std::int64_t{0}) || value == Value(0.0);
    };
    return !answer.is_cut &&
           (answer.rows.empty() ||
            (answer.rows.size() == 1 && std::ranges::all_of(answer.rows.front(), is_nothing)));
}

/// The name of the snapshot that the text means, or the text itself if it means none.
std::string name_of_snapshot(SQLite::Database& database, const std::string& text) {
    try {
        return find_snapshot(database, text).name;
    } catch (const UsageError&) {
        return text;
    }
}

bool is_tag_or_series(SQLite::Database& database, const std::string& text) {
    SQLite::Statement query(
        database,
        "SELECT 1 FROM snapshot WHERE tag = ? UNION ALL SELECT 1 FROM series WHERE name = ?");
    rebind(query, text, text);
    return query.executeStep();
}

}  // namespace

std::string with_nearest_names(const std::string& problem) {
    constexpr std::string_view no_value = "no value is given for the parameter :";
    if (const auto at = problem.find(no_value); at != std::string::npos) {
        const std::string name = problem.substr(at + no_value.size());
        const bool is_snapshot = name == "at" || name == "from" || name == "to";
        return fmt::format("{}: {}", problem,
                           is_snapshot ? fmt::format("--{} SNAPSHOT gives it", name)
                                       : fmt::format("--param {}=VALUE gives it", name));
    }
    const std::size_t end = problem.find("no such ");
    const std::size_t colon = problem.find(": ", std::min(end, problem.size()));
    if (colon == std::string::npos) {
        return problem;
    }
    std::string typed = problem.substr(colon + 2);
    typed.erase(0, typed.rfind('.') + 1);  // the table of a column
    std::set<std::string> names;
    for (const SchemaPart& part : schema_parts()) {
        if (problem.compare(end, colon - end, "no such table") == 0) {
            names.insert(part.name);
        } else {
            names.insert(part.columns.begin(), part.columns.end());
        }
    }
    if (names.contains(typed)) {  // of another schema: main.latest_specs
        return problem;
    }
    const auto near = nearest_names(typed, {names.begin(), names.end()});
    return near.empty() ? problem
                        : fmt::format("{}; did you mean '{}'?", problem, fmt::join(near, "', '"));
}

std::vector<std::string> notes_on_snapshots(SQLite::Database& database, const std::string& sql,
                                            const Arguments& arguments, const ResultTable& answer) {
    const bool is_silent = is_empty(answer);
    std::set<std::string> texts = is_silent ? quoted_texts(sql) : std::set<std::string>();
    std::vector<std::string> notes;
    try {
        for (const auto& [name, value] : arguments) {
            const auto* const text = std::get_if<std::string>(&value);
            if (text != nullptr && (is_silent || !is_tag_or_series(database, *text))) {
                texts.insert(*text);
            }
        }
        for (const std::string& text : texts) {
            const std::string name = name_of_snapshot(database, text);
            if (name != text) {
                notes.push_back(fmt::format(
                    "'{}' is not the name of a snapshot; its name is {}; sql takes names as they "
                    "are",
                    text, name));
            }
        }
    } catch (const std::exception&) {  // interrupted; the answer is already printed
        notes.clear();
    }
    return notes;
}

}  // namespace cacheledger
