#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/render/table/result_table.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

/// Whether the text is the URL of a PostgreSQL server: postgresql://... or postgres://...
bool is_postgresql_url(std::string_view text);

/// The URL without a password, for messages.
std::string without_password(const std::string& url);

/// The version of libpq, which talks to the server: "15.8". Empty in a program that was built
/// without.
std::string client_library_version();

/// What a PostgreSQL server refuses. The text has the server's message and its hint, in one line.
class PostgresError : public DatabaseError {
  public:
    PostgresError(const std::string& message, std::string state, int offset)
        : DatabaseError(message), state_(std::move(state)), offset_(offset) {}

    /// The SQLSTATE, "42P01".
    const std::string& state() const { return state_; }

    /// The place in the text of the statement, in characters from 0 on; -1 if the server names
    /// none.
    int offset() const { return offset_; }

  private:
    std::string state_;
    int offset_;
};

/// One connection to a PostgreSQL server, by libpq. It leaves no setting behind. A program that was
/// built without libpq throws UsageError, which says so, from the constructor.
///
/// Every function throws PostgresError if the server refuses, DatabaseError if the connection ends
/// or the server sends what it should not, and Interrupted if `is_stopped` told to stop: the server
/// has a few seconds to end its work, and is left then. A time limit of the server is a
/// PostgresError.
class PostgresConnection {
  public:
    /// Called while the server works, some ten times a second. True: the work is to be ended.
    using IsStopped = std::function<bool()>;

    /// Connects. A password comes from the URL, ~/.pgpass or PGSERVICE, and is in no message.
    /// Throws DatabaseError if the server can't be reached or refuses.
    explicit PostgresConnection(const std::string& url, const IsStopped& is_stopped = {});
    ~PostgresConnection();
    PostgresConnection(const PostgresConnection&) = delete;
    PostgresConnection& operator=(const PostgresConnection&) = delete;

    /// Begins a transaction of this mode, "READ ONLY", in which values are written as this class
    /// reads them, and names are those of PostgreSQL itself, or have their schema. Its settings end
    /// with it: a pool may give the session to others.
    void begin(const std::string& mode);

    /// Ends the transaction. Throws DatabaseError, and not Interrupted, if nobody knows whether the
    /// server did.
    void commit();

    /// Runs any number of statements, and gives no rows.
    void run(const std::string& sql);

    /// Runs one statement, by the extended protocol. `values` are those of $1, $2, ...; a text has
    /// no type of its own, so that the server takes the type that the statement says. Integers come
    /// back as integers, floats and numerics as reals, all others as text. Throws DatabaseError if
    /// the rows take more than a gigabyte.
    ResultTable query(const std::string& sql, const std::vector<Value>& values = {});

    /// The first row of a query that always has one.
    std::vector<Value> row(const std::string& sql, const std::vector<Value>& values = {});

    /// Like query(), for a statement that gives no rows. Returns the number of rows it changed.
    std::int64_t change(const std::string& sql, const std::vector<Value>& values = {});

    /// Runs COPY ... FROM STDIN. `next` gives the next bytes, in the format that the statement
    /// names, and an empty text at the end. Returns the number of rows.
    std::int64_t copy_in(const std::string& sql, const std::function<std::string_view()>& next);

    /// Runs COPY ... TO STDOUT, and calls `row` for each row, without its line end.
    void copy_out(const std::string& sql, const std::function<void(std::string_view)>& row);

    /// The version, 150004 for 15.4.
    int server_version() const;

  private:
    struct Handle;
    std::unique_ptr<Handle> handle_;
};

/// What the server sent in a column of a row: as a text, or a number. Throws DatabaseError if there
/// is no such column, or no number in it: a server can send anything.
std::string text_in(const std::vector<Value>& row, std::size_t column);
std::int64_t number_in(const std::vector<Value>& row, std::size_t column);

/// The text as a name of SQL, in double quotes.
std::string quoted_name(std::string_view name);

/// The text as a literal of SQL, in single quotes (standard_conforming_strings is on).
std::string quoted_text(std::string_view text);

}  // namespace cacheledger
