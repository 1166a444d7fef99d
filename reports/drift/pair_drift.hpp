#pragma once

#include <SQLiteCpp/Database.h>

#include <span>
#include <string>

#include "reports/catalog/report.hpp"
#include "reports/query/run_query.hpp"
#include "schema/basics/embedded_text.hpp"

namespace cacheledger {

/// reports/drift/pair_drift.sql, compiled in.
extern const std::span<const EmbeddedText> drift_texts;

/// While it lives, `stack_drift` is a temporary view of the connection: the rows of the view of
/// that name for one pair of snapshots and one stack, worked out once
/// (reports/drift/pair_drift.sql). So a report of drift/ reads here what it reads in any SQLite
/// shell, sooner. It holds no other rows: only for queries that ask for this pair.
class PairDrift {
  public:
    /// `arguments`: `from` and `to`, names of snapshots; `stack`, a name or a pattern for GLOB, or
    /// NULL for the whole cache. Others are not looked at. Throws SQLite::Exception, and
    /// Interrupted where a progress handler stopped it.
    PairDrift(const SQLite::Database& database, const Arguments& arguments);
    ~PairDrift();
    PairDrift(const PairDrift&) = delete;
    PairDrift& operator=(const PairDrift&) = delete;

    /// Whether the report reads stack_drift and is one of the program's, which all ask for the pair
    /// of their parameters `from`, `to` and `stack`.
    static bool is_read_by(const Report& report);

    /// The statements that made the view, with the values of their parameters filled in.
    const std::string& sql() const { return sql_; }

  private:
    const SQLite::Database& database_;
    std::string sql_;
};

}  // namespace cacheledger
