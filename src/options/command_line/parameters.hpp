#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

// The snapshots that a command asks for. `notes` gets what the user should know of the choice
// (src/options/command_line/options.hpp): which series `latest` is of if several snapshots have
// its moment, or if it is of no cache; which series is compared if it is not that of `latest`;
// that tag@{moment} is much older than that moment; that both names mean one snapshot. These
// functions throw UsageError as schema/ledger/names/snapshot.hpp says.

/// The snapshot that the user means by `text`; without one `latest`.
Snapshot choose_snapshot(SQLite::Database& database, const std::optional<std::string>& text,
                         std::vector<std::string>& notes);

/// The snapshots of the options --at, or `latest`; each cache once.
std::vector<Snapshot> choose_snapshots(SQLite::Database& database,
                                       const std::vector<std::string>& texts,
                                       std::vector<std::string>& notes);

/// The newest snapshot with one before it in its series, and that one.
SnapshotPair choose_newest_pair(SQLite::Database& database, std::vector<std::string>& notes);

/// What a command compares. `words`: two snapshots; or one, which is compared with the one before
/// it; or none, for choose_newest_pair().
SnapshotPair choose_pair(SQLite::Database& database, const std::vector<std::string>& words,
                         std::vector<std::string>& notes);

/// Adds --param name=value, which can be given several times.
void add_param_option(po::options_description& options);

/// The values that were given with --param, by name. Throws UsageError if one is not name=value, or
/// a name is given twice.
std::map<std::string, std::string> given_params(const ParsedOptions& parsed);

/// Adds --limit. `meaning`: what it says in the help.
void add_limit_option(po::options_description& options, const char* meaning);

/// The value of --limit, if it is given; 0 is all_rows. Throws UsageError if it is no number of
/// rows.
std::optional<std::size_t> read_limit(const ParsedOptions& parsed);

/// An integer if the text is exactly as an integer is printed, else the text: "10" becomes 10,
/// "1.10" and "007" stay texts.
Value guess_value(const std::string& text);

struct ReportArguments {
    Arguments values;
    std::vector<std::string>
        notes;  ///< for standard error, after the answer (src/options/command_line/options.hpp)
};

/// The values of a report's parameters: those that were given, else the defaults. A snapshot is
/// looked up and becomes its name. In a default, "{to}" stands for the value of the parameter `to`.
/// If the default of `from` is "{to}~1" and that of `to` is latest, and neither is given, they are
/// the newest snapshot with one before it in its series, and that one.
/// Throws UsageError if a value is missing, belongs to no parameter, or names no snapshot or no
/// known name (reports/engine/catalog/known_names.hpp).
ReportArguments report_arguments(SQLite::Database& database, const Report& report,
                                 const std::map<std::string, std::string>& given);

}  // namespace cacheledger
