#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/absent_package.hpp"
#include "reports/postgresql/reading/ledger_slice.hpp"
#include "reports/postgresql/reading/published_ledger.hpp"
#include "src/terminal/stopping/watch.hpp"

namespace cacheledger {

/// The snapshots that a command asks for, as the user typed them. Each is a snapshot of the ledger,
/// or a file that `ingest` reads.
struct TypedSnapshots {
    std::vector<std::string> words = {};
    bool and_others = false;  ///< the command asks for other snapshots of the ledger, too
    /// The command asks for wish lists. A file gets those that the ledger of a file has at last.
    bool and_wishes = false;
};

/// The value of --at, if it is given.
TypedSnapshots typed_at(const ParsedOptions& parsed, bool and_others = false);

/// The ledger that a command asks. It is one of three:
///
/// - the file of --db.
/// - a ledger that was published to PostgreSQL (--db postgresql://... --ledger NAME). Of this it
/// has
///   a part in memory (reports/postgresql/reading/ledger_slice.hpp), to which the functions
///   `need...` add; otherwise they do nothing. A command that calls those that it needs works on
///   both.
/// - a ledger in memory, if the user named files instead of snapshots: these are loaded, beside a
///   copy of the ledger if that is asked, too. The file of --db does not change, and need not
///   exist.
class AskedLedger {
  public:
    /// `database` and `ledger`: the values of --db and --ledger. Throws what open_for_reading(),
    /// PublishedLedger and load_file() throw.
    AskedLedger(const std::filesystem::path& database, const std::string& ledger,
                const TypedSnapshots& typed = {}, std::optional<Watch::Seconds> timeout = {});

    SQLite::Database& database() { return slice_ ? slice_->database() : *file_; }

    /// What ends the work on the ledger at Ctrl-C and --timeout.
    const Watch& watch() const { return *watch_; }

    /// Asks the whole ledger, where it is. For as long as this lives.
    AskNames ask_names();

    /// Null for a file.
    PublishedLedger* published() { return published_.get(); }

    /// The name of a typed snapshot: that of a file, or the word itself.
    std::string name(const std::string& word) const;
    std::optional<std::string> name(const std::optional<std::string>& word) const;
    std::vector<std::string> names(std::vector<std::string> words) const;

    /// Whether files were loaded.
    bool has_files() const { return !names_.empty(); }

    /// What the user should know of the files (src/options/command_line/notes.hpp).
    const std::vector<std::string>& notes() const { return notes_; }

    void need_looks();
    void need_specs(const SpecQuery& query);
    void need_specs(const SpecQuery& query, const Snapshot& snapshot);
    void need_pair(const SnapshotPair& pair);
    void need_graph();

  private:
    void open(const std::filesystem::path& database, const std::string& ledger,
              const TypedSnapshots& typed);
    void load_files(const TypedSnapshots& typed, std::optional<Watch::Seconds> timeout);

    std::optional<SQLite::Database> file_;
    std::unique_ptr<PublishedLedger> published_;
    std::unique_ptr<LedgerSlice> slice_;
    std::unique_ptr<Watch> watch_;              // after what it watches
    std::map<std::string, std::string> names_;  // by word, if there are files
    std::vector<std::string> notes_;
};

}  // namespace cacheledger
