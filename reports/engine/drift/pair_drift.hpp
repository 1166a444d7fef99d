#pragma once

#include <SQLiteCpp/Database.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/present/listed_graph.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/engine/drift, compiled in: pair_drift first.
extern const std::span<const EmbeddedText> drift_texts;

/// The drift between one pair of snapshots. While this object lives, the connection has a temporary
/// view `stack_drift`, which hides the ledger's view of that name and has only the rows of this
/// pair and one stack. They are computed once (reports/engine/drift/pair_drift.sql), so a report of
/// drift/ runs unchanged and faster than over the ledger's view. Queries about other pairs must not
/// run meanwhile.
class PairDrift {
  public:
    /// `arguments`: `from` and `to` are names of snapshots; `stack` is a name, a pattern for GLOB,
    /// or NULL for the whole cache. Other arguments are ignored. Throws SQLite::Exception, and
    /// Interrupted if a progress handler stopped it.
    /// `reading`: one that other pairs share; it must outlive this. Without it the pair is read by
    /// itself.
    PairDrift(const SQLite::Database& database, const Arguments& arguments,
              PairReading* reading = nullptr);
    ~PairDrift();
    PairDrift(const PairDrift&) = delete;
    PairDrift& operator=(const PairDrift&) = delete;

    /// Goes to another pair: a query of the view that is compiled stays good.
    void go_to(const Value& from, const Value& to);

    /// What the two snapshots list, with its graph: read when it is first asked for.
    const ListedGraph& listed() const;
    /// What the ledger says of specs.
    SpecReading& specs() const { return reading().specs(); }

    /// Whether the report reads stack_drift and is one of the program's own. Only those are sure to
    /// ask for the pair of their parameters `from`, `to` and `stack`.
    static bool is_read_by(const Report& report);
    /// Whether it reads stack_drift for each snapshot and the one before it, as history/causes does
    /// (reports/engine/drift/neighbours.sql).
    static bool is_read_for_neighbours(const Report& report);

    /// The statements that make the view, with the parameters :from, :to and :stack.
    static std::string steps();

    /// The text with the definition of drift (schema/sql/views/stack_drift.sql) in place of the
    /// line that begins with "-- definition:".
    static std::string with_definition(std::string_view text);

    /// The statements that made the view, with the values of their parameters filled in.
    const std::string& sql() const { return sql_; }

  private:
    PairReading& reading() const;

    const SQLite::Database& database_;
    Arguments arguments_;
    std::string sql_;
    PairReading* shared_;
    mutable std::optional<PairReading> own_;     // once it is asked for
    mutable std::optional<ListedGraph> listed_;  // once it is asked for
    std::vector<RepeatedStep> refill_;           // once it is asked for
};

}  // namespace cacheledger
