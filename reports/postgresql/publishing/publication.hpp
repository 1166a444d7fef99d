#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/ledger_rows.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

struct PublishOptions {
    bool is_dry_run = false;  ///< write nothing, and take no lock: a standby will do
    bool is_resync = false;   ///< publish whatever the server has: compare even if it has this
                              ///< state, and replace another ledger
    std::vector<std::string> roles{};  ///< that may read the ledger
    std::string program{};             ///< that publishes: "cacheledger 0.1.0"
    Progress progress = no_progress;   ///< counts tables
};

/// What a publish did to a table, or would do.
struct TableCounts {
    std::string table;
    std::int64_t inserted = 0;
    std::int64_t updated = 0;
    std::int64_t deleted = 0;
};

struct PublishResult {
    enum class Way {
        nothing,      ///< the server has all that the ledger has
        all,          ///< all rows, into new tables
        differences,  ///< the rows that differ
        checks,       ///< when runs of ingest checked the series
    };

    Way way = Way::nothing;
    std::vector<TableCounts> tables;  ///< those with a row that was written
    std::vector<std::string> notes;   ///< what the user should know
};

/// One publish of a ledger: one transaction of the server, under a lock that other publishes of the
/// ledger wait for. Readers see the state before it until its end, and never wait. If the program
/// ends before the end, nothing was published. All throw what PostgresConnection throws.
class Publication {
  public:
    /// Begins the transaction. Throws DatabaseError if another publish has the lock for too long.
    /// The ledger must be opened after this: a state that is older than the published one would be
    /// taken for another ledger.
    Publication(PostgresConnection& connection, PublishedName name, PublishOptions options = {});

    /// Makes the published ledger equal to this one, and commits. Throws DatabaseError if it is
    /// published from another ledger, or from a state that this one does not come from, unless
    /// options.is_resync; and SQLite::Exception.
    PublishResult publish(SQLite::Database& ledger);

    /// Removes the published ledger, and commits. Returns what the user should know. Throws
    /// UsageError if there is none, or, unless `and_dependent`, if something that users made would
    /// go with it: the message names it. Throws DatabaseError if somebody reads it for too long.
    std::vector<std::string> drop(bool and_dependent = false);

  private:
    void check_is_successor(SQLite::Database& ledger, const PublishedRow& published,
                            const LedgerState& state) const;
    void publish_first(SQLite::Database& ledger);
    void publish_differences(SQLite::Database& ledger, std::string_view only_table = {});
    void compare(SQLite::Database& ledger, std::string_view only_table);
    void complete();
    bool bring_up_to_date(int tries);
    TableDifference difference_of(SQLite::Database& ledger, const LedgerTable& table);
    bool is_incomplete(const LedgerTable& table) const;
    void note_program(const PublishedRow& published);
    void bring_views_up_to_date();
    void note_respelled(std::size_t texts);
    void add_note(std::string note);
    void grant_to(const std::vector<std::string>& roles);

    PostgresConnection& connection_;
    PublishedName name_;
    PublishOptions options_;
    bool is_other_layout_ = false;             ///< what another program published
    bool are_views_made_ = false;              ///< of this layout
    std::vector<std::string> incomplete_;      ///< tables that lack columns
    std::vector<TableDifference> changes_;     ///< to be written, in the order of tables
    std::int64_t rows_of_ledger_ = 0;          ///< that were compared
    std::string layout_ = published_layout();  ///< of what is there at the end
    PublishResult result_;
};

}  // namespace cacheledger
