#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <span>
#include <string>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/engine/reasons, in the order in which they run, compiled in.
extern const std::span<const EmbeddedText> why_texts;

/// The reasons why specs were rebuilt, between one pair of snapshots or of specs. While this object
/// lives, the connection has a temporary view `spec_reasons` with the rows of this pair, and the
/// temporary tables why_* from which it comes (reports/engine/reasons/asked_snapshots.sql). At most
/// one such object may live in a connection.
class SpecReasons {
  public:
    /// Between the snapshots of `drift`. `arguments`: those that made `drift`, and `package`.
    /// Throws what run_steps() throws.
    SpecReasons(const SQLite::Database& database, const PairDrift& drift,
                const Arguments& arguments);
    /// From one spec to another, by their hashes.
    SpecReasons(const SQLite::Database& database, const std::string& from, const std::string& to);
    ~SpecReasons();
    SpecReasons(const SpecReasons&) = delete;
    SpecReasons& operator=(const SpecReasons&) = delete;

    /// Whether the report reads spec_reasons and is one of the program's own.
    static bool is_read_by(const Report& report);

    /// The number of specs that the reasons explain.
    std::int64_t rebuilt() const;

    /// The statements that make the view between two snapshots, with the parameters :from, :to,
    /// :stack and :package. Those of PairDrift come before them. They count by recursion.
    static std::string steps();

    /// The statements that made the view, with the values of their parameters filled in.
    const std::string& sql() const { return sql_; }

  private:
    const SQLite::Database& database_;
    std::string sql_;
};

}  // namespace cacheledger
