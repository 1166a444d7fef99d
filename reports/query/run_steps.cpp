#include "reports/query/run_steps.hpp"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <memory>

#include "reports/query/binding.hpp"
#include "reports/query/query.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

void check(const SQLite::Database& database, int code) {
    if (code != SQLITE_OK && code != SQLITE_DONE) {
        if (is_interruption(database.getHandle(), code)) {
            throw Interrupted("interrupted");
        }
        throw SQLite::Exception(database.getHandle(), code);
    }
}

}  // namespace

std::string run_steps(const SQLite::Database& database, const std::string& sql,
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

}  // namespace cacheledger
