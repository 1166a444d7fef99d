#pragma once

#include <SQLiteCpp/Database.h>

#include <span>
#include <string>
#include <string_view>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/engine/reasons/reasons.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/engine/reasons, compiled in.
extern const std::span<const EmbeddedText> why_texts;

/// The reasons why specs were rebuilt, between one pair of snapshots or of specs, for SQL. While
/// this object lives, the connection has the temporary tables spec_reasons,
/// why_package, why_package_edge and why_change (reports/engine/reasons/tables.sql says what they
/// hold), filled for this pair. At most one such object may live in a connection.
class SpecReasons {
  public:
    /// Between the snapshots of `drift`. `arguments`: those that made `drift`, and `package`.
    /// Throws what reasons_between_snapshots() throws.
    SpecReasons(const SQLite::Database& database, const PairDrift& drift,
                const Arguments& arguments);
    /// From one spec to another, by their hashes.
    SpecReasons(const SQLite::Database& database, const std::string& from, const std::string& to);

    /// Whether the report reads these tables and is one of the program's own.
    static bool is_read_by(const Report& report);

    const Reasons& found() const { return found_; }

    /// Statements that make the tables with their rows, for any SQLite shell.
    std::string sql() const { return tables_.sql(); }

  private:
    void write(const Arguments& arguments);

    const SQLite::Database& database_;
    Reasons found_;
    TemporaryTables tables_;
};

}  // namespace cacheledger
