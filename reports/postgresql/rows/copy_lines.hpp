#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3_stmt;

/// Rows as lines of PostgreSQL's COPY in its text format, exactly as the server writes them: fields
/// with tabs between them, NULL as \N. So a row of SQLite and a row of the server are equal if
/// their lines are.
namespace cacheledger {

/// The rows of a query of SQLite, one after the other. A text with a NUL, or with bytes that are
/// not UTF-8, can't be stored by PostgreSQL: its line has these bytes written out, "\xff".
class CopyLines {
  public:
    /// Throws SQLite::Exception.
    CopyLines(const SQLite::Database& ledger, const std::string& sql);

    /// Goes to the next row, at first to the first one. False at the end. Throws SQLite::Exception.
    bool next();

    /// The line of the row, without its end.
    const std::string& line() const { return line_; }

    /// How many texts PostgreSQL can't store as they are, so far.
    std::size_t respelled() const { return respelled_; }

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    void append(int column);
    void append_text(std::string_view text);

    const SQLite::Database& ledger_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    std::string line_;
    bool is_over_ = false;
    std::size_t respelled_ = 0;
};

/// The first `columns` fields of a line, with the tabs between them.
std::string_view first_fields(std::string_view line, std::size_t columns);

/// The fields of a line as they are written there. Throws DatabaseError if it has not `columns`.
std::vector<std::string_view> fields_of(std::string_view line, std::size_t columns);

/// The value of a field that is not NULL.
std::string field_text(std::string_view field);

}  // namespace cacheledger
