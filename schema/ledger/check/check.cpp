#include "schema/ledger/check/check.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "schema/ledger/check/problems.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

/// The differences between a ledger's schema and that of a new ledger.
struct SchemaProblems {
    std::vector<std::string> lines;
    bool in_tables = false;  ///< tables differ, so other checks may fail to run
};

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

/// The rows that contradict a CHECK clause of their table, one line for each clause. A ledger is
/// written without evaluating them. Throws SQLite::Exception.
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

/// Compares tables, indexes, triggers and the planner's statistics with those of a new ledger.
/// Views are not compared: every command that writes makes them again if they differ
/// (views_are_current()). Throws SQLite::Exception.
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

using Lines = std::vector<std::string>;

Lines integrity_problems(SQLite::Database& database, std::size_t most) {
    // SQLite forgets CHECK clauses where the file can't be written: check_clause_problems() has
    // them.
    const int ignores = only_value<int>(database, "PRAGMA ignore_check_constraints");
    database.exec("PRAGMA ignore_check_constraints = ON");
    Lines lines;
    for (const std::string& line :
         all_values<std::string>(database, fmt::format("PRAGMA integrity_check({})", most))) {
        if (line != "ok") {
            lines.push_back("integrity: " + line);
        }
    }
    database.exec(fmt::format("PRAGMA ignore_check_constraints = {}", ignores));
    return lines;
}

// "PRAGMA foreign_key_check" as a rule.
constexpr std::string_view foreign_keys = R"(
    SELECT 'foreign key: a row of ' || "table" || ' refers to a row of ' || parent
           || ' that is not there'
    FROM pragma_foreign_key_check)";

Lines rule_problems(SQLite::Database& database, std::string_view rule, std::size_t most) {
    Lines lines;
    for (auto&& [problem] : rows<std::string>(database, rule)) {
        if (lines.size() == most) {
            break;
        }
        lines.push_back(std::move(problem));
    }
    return lines;
}

struct Step {
    std::string name;
    std::function<Lines(SQLite::Database&)> find;
    Lines found{};
    double seconds = 0;
};

void run_step(Step& step, SQLite::Database& database) {
    const auto start = std::chrono::steady_clock::now();
    step.found = step.find(database);
    step.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<Step> all_steps(std::size_t most) {
    std::vector<Step> steps = {
        {"integrity", [=](auto& database) { return integrity_problems(database, most); }},
        {"conditions of columns", check_clause_problems},
        {"foreign keys",
         [=](auto& database) { return rule_problems(database, foreign_keys, most); }},
    };
    for (const EmbeddedText& rule : check_texts) {
        steps.push_back({std::string(rule.name), [&rule, most](auto& database) {
                             return rule_problems(database, rule.text, most);
                         }});
    }
    std::ranges::move(
        std::vector<Step>{
            {"variant sets", variant_set_problems},
            {"sort keys", sort_key_problems},
            {"names of snapshots", snapshot_problems},
            {"names of compilers", compiler_problems},
            {"lists of words", word_list_problems},
            {"kinds of findings", finding_problems},
            {"graph", graph_problems},
            {"digests of nodes", node_digest_problems},
            {"digests of states", [=](auto& database) { return state_problems(database, most); }},
        },
        std::back_inserter(steps));
    return steps;
}

// The steps that are not taken yet. Each connection takes the next one.
class StepQueue {
  public:
    explicit StepQueue(std::vector<Step>& steps) : steps_(steps) {}

    void work(SQLite::Database& database, const Progress& progress) {
        for (std::size_t next = 0; (next = taken_++) < steps_.size();) {
            progress(next, steps_.size());
            run_step(steps_[next], database);
        }
    }
    void stop() { taken_ = steps_.size(); }

  private:
    std::vector<Step>& steps_;
    std::atomic<std::size_t> taken_ = 0;
};

void run_steps_on_both(std::vector<Step>& steps, SQLite::Database& database,
                       SQLite::Database& other, const Progress& progress) {
    StepQueue queue(steps);
    std::future<void> others;
    try {
        others = std::async(std::launch::async, [&] {
            try {
                queue.work(other, no_progress);
            } catch (...) {
                queue.stop();
                throw;
            }
        });
    } catch (const std::system_error&) {  // no thread can be had
        queue.work(database, progress);
        return;
    }
    try {
        queue.work(database, progress);
    } catch (...) {
        queue.stop();
        sqlite3_interrupt(other.getHandle());
        throw;
    }
    others.get();
}

}  // namespace

std::vector<std::string> find_problems(SQLite::Database& database, std::size_t most,
                                       const Progress& progress, SQLite::Database* other,
                                       std::vector<StepTime>* times) {
    std::vector<Step> steps = all_steps(most);
    SchemaProblems schema;
    Step of_schema{"schema", [&](SQLite::Database& any) {
                       schema = compare_schema(any);
                       if (!schema.in_tables && !views_are_current(any)) {
                           schema.lines.emplace_back(
                               "views: they are not those of this version; the "
                               "next ingest makes them anew");
                       }
                       return std::exchange(schema.lines, {});
                   }};
    run_step(of_schema, database);
    if (schema.in_tables) {
        steps.resize(1);
    }
    if (other != nullptr) {
        run_steps_on_both(steps, database, *other, progress);
    } else {
        StepQueue(steps).work(database, progress);
    }
    steps.insert(steps.begin() + 1, std::move(of_schema));
    Lines problems;
    for (Step& step : steps) {
        step.found.resize(std::min(most, step.found.size()));
        std::ranges::move(step.found, std::back_inserter(problems));
        if (times != nullptr) {
            times->push_back({step.name, step.seconds});
        }
    }
    return problems;
}

}  // namespace cacheledger
