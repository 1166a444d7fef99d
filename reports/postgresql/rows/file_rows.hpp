#pragma once

#include <SQLiteCpp/Database.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/postgresql/rows/ledger_tables.hpp"

struct sqlite3_stmt;

namespace cacheledger {

/// Writes rows into a table of the file of a ledger. Rows and keys are lines of COPY, with the
/// columns of the published table (reports/postgresql/rows/copy_lines.hpp). All throw
/// SQLite::Exception, and DatabaseError for a row that the table can't have.
class FileRows {
  public:
    /// `ledger` must outlive this.
    FileRows(SQLite::Database& ledger, const LedgerTable& table);

    void insert(std::string_view line);
    void remove(std::string_view key);

    /// The same for each of the lines, with line ends between them.
    void insert_all(std::string_view lines);
    void remove_all(std::string_view keys);

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

    Statement prepare(const std::string& sql) const;
    void bind(sqlite3_stmt* statement, int number, const LedgerColumn& column,
              std::string_view field) const;
    void run(sqlite3_stmt* statement) const;

    SQLite::Database& ledger_;
    const LedgerTable& table_;
    std::vector<int> numbers_;  ///< by column: of its parameter; 0 for a generated column
    Statement insert_;
    Statement remove_;
};

}  // namespace cacheledger
