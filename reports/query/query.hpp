#pragma once

#include <SQLiteCpp/Database.h>

#include <memory>
#include <string>
#include <string_view>

#include "reports/query/query_guard.hpp"

struct sqlite3_stmt;

namespace cacheledger {

/// One compiled statement that only reads and gives rows, under guard
/// (reports/query/query_guard.hpp), with the text it came from, for error messages. Refers to the
/// database and the texts it was made from; owns the statement. SQLite::Statement hides what is
/// needed here: where the statement ends, the names of its parameters, whether it would write.
class Query {
  public:
    /// Throws UsageError where `sql` is not one statement, doesn't compile, would write or gives no
    /// rows, SQLite::Exception where the database can't be used.
    Query(const SQLite::Database& database, const std::string& origin, const std::string& sql);

    sqlite3_stmt* statement() const { return statement_.get(); }

    /// Throws UsageError, "origin:line:column: reason", or "origin: reason" for a negative offset
    /// (in bytes).
    [[noreturn]] void refuse(std::string_view reason, int offset = -1) const;

    /// Throws for the error that the last call to SQLite left behind: Interrupted, or UsageError
    /// where the query is at fault, or SQLite::Exception.
    [[noreturn]] void fail() const;

  private:
    [[noreturn]] void refuse_to_run(std::string_view what) const;

    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    std::string place(int offset) const;

    const SQLite::Database& database_;
    const std::string& origin_;
    const std::string& sql_;
    QueryGuard guard_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace cacheledger
