#include "src/commands/ingest/ingest_times_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "ingest/runs/files/ingest_times.hpp"
#include "schema/errors/error.hpp"
#include "schema/text/counted.hpp"
#include "src/commands/ingest/ingest_run.hpp"
#include "src/options/command_line/notes.hpp"
#include "src/terminal/stopping/interruption.hpp"
#include "src/terminal/stopping/watch.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_contradictions_printed = 3;

void print_times(const TimesResult& result, double seconds) {
    std::cout << fmt::format(
        "{}, {} ({} new, {} changed), {:.2f} seconds\n", plainly_counted(result.files, "file"),
        plainly_counted(result.times, "build time"), result.added, result.changed, seconds);
    std::cout.flush();
    if (result.unpacked > 0) {
        const auto unpacked = static_cast<std::int64_t>(result.unpacked);
        print_notes({fmt::format("{} left out: Spack took {} from a build cache",
                                 counted(unpacked, "installation is", "installations are"),
                                 words_for(unpacked, "it", "them"))});
    }
    const std::vector<std::string>& contradictions = result.contradictions;
    const std::size_t shown = std::min(contradictions.size(), most_contradictions_printed);
    for (std::size_t i = 0; i < shown; ++i) {
        print_notes({contradictions[i] + ": the last counts"});
    }
    if (contradictions.size() > shown) {
        print_notes({fmt::format(
            "{} like this",
            counted(static_cast<std::int64_t>(contradictions.size() - shown), "more build"))});
    }
}

}  // namespace

bool are_files_of_times(const std::vector<std::string>& paths) {
    const auto one = std::ranges::find_if(paths, is_file_of_times);
    if (one == paths.end()) {
        return false;
    }
    const auto other = std::ranges::find_if_not(paths, is_file_of_times);
    if (other != paths.end()) {
        refuse_missing(*other);
        throw UsageError(fmt::format(
            "ingest: {} has build times, and {} has none: load one after the other", *one, *other));
    }
    return true;
}

void run_ingest_times(const Invocation& invocation, const ParsedOptions& parsed) {
    refuse_options_of_snapshots(parsed, "build times make none");
    if (parsed.words.empty()) {
        throw UsageError("ingest: --build-times: expected a file, a folder or -");
    }
    std::vector<std::string> files;
    for (const std::string& word : parsed.words) {
        std::ranges::move(files_of_times(word), std::back_inserter(files));
    }
    run_and_report(
        invocation.database, "file", "writing build times",
        [&](auto& database, auto& line, const auto& progress) {
            const Watch watch(database, line);
            return interruptible("interrupted; nothing of it was loaded",
                                 [&] { return ingest_times(database, files, progress); });
        },
        [](auto& /*database*/, const auto& result, double seconds) {
            print_times(result, seconds);
        });
}

}  // namespace cacheledger
