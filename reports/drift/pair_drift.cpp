#include "reports/drift/pair_drift.hpp"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "reports/catalog/catalog.hpp"
#include "reports/query/binding.hpp"
#include "schema/basics/error.hpp"
#include "schema/ledger/migration.hpp"

namespace cacheledger {

namespace {

/// The steps of the view stack_drift: the text between its two marks.
std::string_view definition() {
    constexpr std::string_view first = "-- definition: from here\n";
    constexpr std::string_view last = "-- definition: up to here\n";
    const auto view = std::ranges::find(view_texts, "stack_drift", &EmbeddedText::name);
    const auto begin = view->text.find(first) + first.size();
    return view->text.substr(begin, view->text.find(last) - begin);
}

std::string statements() {
    constexpr std::string_view mark = "-- definition:";
    std::string sql(drift_texts.front().text);
    const auto begin = sql.find(mark);
    return sql.replace(begin, sql.find('\n', begin) + 1 - begin, definition());
}

void check(const SQLite::Database& database, int code) {
    if (code == SQLITE_INTERRUPT) {
        throw Interrupted("interrupted");
    }
    if (code != SQLITE_OK && code != SQLITE_DONE) {
        throw SQLite::Exception(database.getHandle(), code);
    }
}

/// Runs the statements in order. Returns their text with the values filled in.
std::string run(const SQLite::Database& database, const std::string& sql,
                const Arguments& arguments) {
    std::string text;
    for (const char* rest = sql.c_str(); *rest != '\0';) {
        sqlite3_stmt* raw = nullptr;
        check(database, sqlite3_prepare_v2(database.getHandle(), rest, -1, &raw, &rest));
        const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw,
                                                                              sqlite3_finalize);
        if (raw == nullptr) {  // the blanks at the end
            break;
        }
        for (int index = 1; index <= sqlite3_bind_parameter_count(raw); ++index) {
            const char* const name = sqlite3_bind_parameter_name(raw, index) + 1;  // after the ':'
            check(database, bind_value(raw, index, arguments.at(name)));
        }
        text += text_with_values(raw);
        check(database, sqlite3_step(raw));
    }
    return text + "\n";
}

}  // namespace

PairDrift::PairDrift(const SQLite::Database& database, const Arguments& arguments)
    : database_(database), sql_(run(database, statements(), arguments)) {}

PairDrift::~PairDrift() {
    sqlite3_exec(database_.getHandle(),
                 "DROP VIEW temp.stack_drift; DROP TABLE temp.drift_spec; "
                 "DROP TABLE temp.drift_pair",
                 nullptr, nullptr, nullptr);
}

bool PairDrift::is_read_by(const Report& report) {
    return report.sql.find("stack_drift") != std::string::npos &&
           std::ranges::find(report_texts, report.sql, &EmbeddedText::text) != report_texts.end();
}

}  // namespace cacheledger
