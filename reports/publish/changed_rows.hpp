#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/copied_rows/ledger_tables.hpp"
#include "reports/copied_rows/table_difference.hpp"
#include "reports/postgresql/connection.hpp"

namespace cacheledger {

/// Which rows of a published ledger may differ from the ledger, by the ledger's log
/// (schema/migrations/0008_log.sql):
///
///  - of a table with ids: those above the greatest that the server has, and those that the log
///  names;
///  - of a table whose rows belong to one with ids: those of such rows;
///  - of presence, page_presence and root_presence: all rows of each *thing* (what the key has
///  before
///    valid_from) with a row that begins or ends, on either side, at a moment that was touched. All
///    of them, because a row tells whether another one follows it. On either side, because
///    intervals that were one and are two, or the other way round, touch the moment on one side
///    only.
///
/// It makes temporary tables in the ledger's connection.
class ChangedRows {
  public:
    /// `written_id`: the row of `written` that the server has seen last. `schema`: of the published
    /// ledger, in quotes. Nothing may be written to the server before the last choice().
    ChangedRows(SQLite::Database& ledger, PostgresConnection& connection, std::string schema,
                std::int64_t written_id);

    RowChoice choice(const LedgerTable& table);

  private:
    std::string changed_ids(const std::string& table) const;
    std::string deleted_ids(const LedgerTable& table) const;
    std::vector<std::string> conditions_of_published_things(const LedgerTable& table) const;
    RowChoice by_id(const LedgerTable& table, const std::string& column,
                    const std::string& parent) const;
    RowChoice by_thing(const LedgerTable& table);
    void read_greatest_ids();
    void read_touched_moments();
    void add_things_of_ledger(const LedgerTable& table);
    void add_published_things(const LedgerTable& table);

    SQLite::Database& ledger_;
    PostgresConnection& connection_;
    std::string schema_;
    std::int64_t written_id_;
    std::map<std::string, std::int64_t> greatest_ids_;
    std::string touched_;  ///< the touched moments, as rows m(series_id, moment) for the server
};

}  // namespace cacheledger
