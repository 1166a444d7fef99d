#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "reports/engine/catalog/absent_package.hpp"
#include "reports/postgresql/reading/ledger_slice.hpp"
#include "reports/postgresql/reading/published_ledger.hpp"
#include "src/terminal/stopping/watch.hpp"

namespace cacheledger {

/// The ledger that a command asks: the file of --db, or a ledger that was published to PostgreSQL
/// (--db postgresql://... --ledger NAME). Of the second it has a part in memory
/// (reports/postgresql/reading/ledger_slice.hpp), to which the functions `need...` add; of a file
/// they do nothing. A command that calls those that it needs works on both.
class AskedLedger {
  public:
    /// `database` and `ledger`: the values of --db and --ledger. Throws what open_for_reading() or
    /// PublishedLedger throw.
    AskedLedger(const std::filesystem::path& database, const std::string& ledger,
                std::optional<Watch::Seconds> timeout = {});

    SQLite::Database& database() { return slice_ ? slice_->database() : *file_; }

    /// What ends the work on the ledger at Ctrl-C and --timeout.
    const Watch& watch() const { return *watch_; }

    /// Asks the whole ledger, where it is. For as long as this lives.
    AskNames ask_names();

    /// Null for a file.
    PublishedLedger* published() { return published_.get(); }

    void need_looks();
    void need_specs(const SpecQuery& query);
    void need_specs(const SpecQuery& query, const Snapshot& snapshot);
    void need_pair(const SnapshotPair& pair);
    void need_graph();

  private:
    std::optional<SQLite::Database> file_;
    std::unique_ptr<PublishedLedger> published_;
    std::unique_ptr<LedgerSlice> slice_;
    std::unique_ptr<Watch> watch_;  // after what it watches
};

}  // namespace cacheledger
