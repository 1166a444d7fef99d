#pragma once

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "ingest/runs/files/ingest.hpp"
#include "schema/ledger/file/database.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/stopping.hpp"

/// What all kinds of ingest have in common.
namespace cacheledger {

/// Scripts read these numbers, so they have no commas.
std::string plainly_counted(std::size_t number, const char* one);

/// Throws UsageError for an option that is for what makes snapshots. `why`: "build times make
/// none".
void refuse_options_of_snapshots(const ParsedOptions& parsed, std::string_view why);

/// Throws InputError if the argument is a path of this machine where nothing is.
void refuse_missing(const std::string& argument);

/// The arguments of ingest as parse_options() takes them, where an option has no value or always
/// one: a --view without a name (at the end, before another option, before a URL) gets one that
/// stands for the views of the series.
std::vector<std::string> with_names_of_views(std::vector<std::string> arguments);

/// The views that --view names: for that name the stacks of the newest snapshot in the series of
/// --tag. nullopt without --view. Throws UsageError if there is no such snapshot, or if it has no
/// stacks.
std::optional<std::vector<std::string>> named_views(const ParsedOptions& parsed,
                                                    const std::filesystem::path& database);

/// Prints what the user should know of a run, as notes (src/options/command_line/options.hpp): how
/// many findings are new, and which snapshots are empty although those before them are not.
/// `loaded`: the names of the snapshots that were loaded, as far as they are known.
void print_ingest_notes(SQLite::Database& database, const NewFindings& findings,
                        const std::vector<std::string>& loaded);

/// Whether the paths are files of build times. Throws UsageError if some of them are and others are
/// not.
bool are_files_of_times(const std::vector<std::string>& paths);

/// ingest of build times, from files and folders. Throws UsageError for options that are of
/// snapshots.
void run_ingest_times(const Invocation& invocation, const ParsedOptions& parsed);

/// Whether the paths are package repositories. Throws UsageError if some of them are and others are
/// not.
bool are_package_repositories(const std::vector<std::string>& paths);

/// ingest of package repositories. `jobs`: number of threads. Throws UsageError for options that
/// are of snapshots.
void run_package_repositories(const Invocation& invocation, const ParsedOptions& parsed,
                              unsigned jobs);

/// Opens the ledger for writing, calls `work` with it, its line of progress and what takes the
/// progress, and then `report` with the ledger, what `work` gave, and the seconds that it took. If
/// the run fails and made a ledger that holds nothing, that is removed again: an empty one would
/// hide the failure from the next command. `thing`: what is read, in the singular. `then`: what is
/// done when all are read.
template <typename Work, typename Report>
void run_and_report(const std::filesystem::path& file, const char* thing, const char* then,
                    const Work& work, const Report& report) {
    std::error_code ignored;
    const bool is_new = !std::filesystem::exists(file, ignored);
    const auto start = std::chrono::steady_clock::now();
    try {
        SQLite::Database database = open_for_writing(file);
        ProgressLine progress(fmt::format("reading {}s", thing));
        const auto result = work(database, progress, [&](std::size_t done, std::size_t all) {
            progress.show(done, all);
            if (done == all) {
                progress.begin(fmt::format("{}s read: {}; {}", thing, all, then));
            }
            stop_if_interrupted();
        });
        progress.clear();
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        report(database, result, elapsed.count());
    } catch (...) {
        if (is_new) {
            remove_if_never_filled(file);
        }
        throw;
    }
}

}  // namespace cacheledger
