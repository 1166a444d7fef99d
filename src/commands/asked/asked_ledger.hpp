#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/sources/inputs/inputs.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

/// The snapshots that a command asks for, as the user typed them. Each is a snapshot of the ledger,
/// or a file that `ingest` reads.
struct TypedSnapshots {
    std::vector<std::string> words = {};
    bool and_others = false;  ///< the command asks for other snapshots of the ledger, too
    /// The command asks for wish lists. A file gets those that the ledger has at last.
    bool and_wishes = false;
};

/// The values of --at.
TypedSnapshots typed_at(const ParsedOptions& parsed, bool and_others = false);

/// The ledger that a command asks. It is one of two:
///
/// - the file of --db, or of a ledger that was published to PostgreSQL (--db postgresql://...
///   --ledger NAME) the copy that asked_file() makes;
/// - a ledger in memory, if the user named files instead of snapshots: these are loaded, beside a
///   copy of the ledger if that is asked, too. The file of --db does not change, and need not
///   exist.
class AskedLedger {
  public:
    /// `database` and `ledger`: the values of --db and --ledger. Throws what asked_file(),
    /// open_for_reading() and load_file() throw.
    AskedLedger(const std::filesystem::path& database, const std::string& ledger,
                const TypedSnapshots& typed = {}, std::optional<Watch::Seconds> timeout = {});

    SQLite::Database& database() { return *file_; }

    /// What ends the work on the ledger at Ctrl-C and --timeout.
    const Watch& watch() const { return *watch_; }

    /// The name of a typed snapshot: that of a file, or the word itself.
    std::string name(const std::string& word) const;
    std::optional<std::string> name(const std::optional<std::string>& word) const;
    std::vector<std::string> names(std::vector<std::string> words) const;

    /// What the user typed of a file that is this snapshot now; else nothing.
    std::optional<std::string> typed(const std::string& snapshot) const;

    /// Whether files were loaded.
    bool has_files() const { return num_files_ > 0; }

    /// How many files were loaded.
    std::size_t num_files() const { return num_files_; }

    /// What the user should know of the files (src/options/command_line/options.hpp).
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    void open(const std::filesystem::path& database, const std::string& ledger,
              const TypedSnapshots& typed);
    void load_files(const TypedSnapshots& typed, std::optional<Watch::Seconds> timeout);

    std::optional<SQLite::Database> file_;
    std::unique_ptr<Watch> watch_;              // after what it watches
    std::map<std::string, std::string> names_;  // by word, if there are files
    std::size_t num_files_ = 0;
    std::vector<std::string> notes_;
};

/// What find_inputs() finds (ingest/sources/inputs/inputs.hpp), with a progress line for what comes
/// from the web, also while `open` opens it. Lines for the user go to standard error. Throws what
/// these throw, and Interrupted.
Inputs find_with_progress(InputOptions options, const std::function<void(const Inputs&)>& open);

/// What the progress line counts, in the singular: "page" or "file".
const char* name_of_one(const Inputs& inputs);

/// How many threads read pages if the user does not say: one for each core.
unsigned usual_jobs();

}  // namespace cacheledger
