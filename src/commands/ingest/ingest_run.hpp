#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "ingest/sources/addresses/url.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/text/counted.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/stopping.hpp"

/// What all kinds of ingest have in common.
namespace cacheledger {

/// Scripts read these numbers, so they have no commas.
inline std::string plainly_counted(std::size_t number, const char* one) {
    return fmt::format("{} {}", number, words_for(static_cast<std::int64_t>(number), one));
}

/// Throws UsageError for an option that is for what makes snapshots. `why`: "build times make
/// none".
inline void refuse_options_of_snapshots(const ParsedOptions& parsed, std::string_view why) {
    for (const char* const option : {"tag", "taken-at", "partial", "replace", "if-changed", "ref",
                                     "view", "map-url", "keep-going"}) {
        if (parsed.has(option)) {
            throw UsageError(fmt::format("ingest: --{} is for snapshots, and {}", option, why));
        }
    }
}

/// Throws InputError if the argument is a path of this machine where nothing is.
inline void refuse_missing(const std::string& argument) {
    const std::string path = read_argument(argument).path;
    std::error_code unknown;
    if (path != "-" && !is_url(path) && !std::filesystem::exists(path, unknown) && !unknown) {
        throw InputError(path + ": no such file or folder");
    }
}

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
