#pragma once

#include <SQLiteCpp/Database.h>

#include <memory>
#include <string>
#include <string_view>

#include "reports/engine/query/query_guard.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace cacheledger {

/// Whether a progress handler caused the error, which is the last of this connection. `code`: the
/// result of the call that failed.
bool is_interruption(sqlite3* database, int code);

/// One compiled statement that only reads and returns rows, compiled under a QueryGuard
/// (reports/engine/query/query_guard.hpp). Keeps references to the database and to both texts.
/// SQLite::Statement does not offer what is needed here: where the statement ends, the names of its
/// parameters, and whether it would write.
class Query {
  public:
    /// Throws UsageError if `sql` is not exactly one statement, does not compile, would write, or
    /// returns no rows. Throws SQLite::Exception if the database can't be used. `origin`: the name
    /// of the file, for messages.
    Query(const SQLite::Database& database, const std::string& origin, const std::string& sql);

    sqlite3_stmt* statement() const { return statement_.get(); }

    /// Throws UsageError, "origin:line:column: reason", or "origin: reason" if `offset` is
    /// negative. `offset`: the position in the SQL, in bytes.
    [[noreturn]] void refuse(std::string_view reason, int offset = -1) const;

    /// Throws for the error of the last call to SQLite: Interrupted, UsageError if the query is at
    /// fault, else SQLite::Exception.
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
