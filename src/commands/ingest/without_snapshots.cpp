#include "src/commands/ingest/ingest_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>

#include "ingest/runs/files/ingest_times.hpp"
#include "ingest/runs/packages/package_repositories.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/text/counted.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

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
    std::vector<std::string> contradictions = result.contradictions;
    for (std::string& one : contradictions) {
        one += ": the last counts";
    }
    print_notes(first_notes(contradictions, "more build"));
}

constexpr std::size_t most_findings_printed = 5;
// Each thread keeps some trees of 0.3 MB and 16 MB of what libgit2 unpacked.
constexpr unsigned most_threads = 4;

std::vector<std::string> notes_on(const std::vector<std::string>& findings) {
    const std::size_t shown = std::min(most_findings_printed, findings.size());
    std::vector<std::string> notes(findings.begin(),
                                   findings.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < findings.size()) {
        notes.push_back(fmt::format(
            "{} about wish lists in all; see {}",
            counted(static_cast<std::int64_t>(findings.size()), "finding"),
            command_hint({"sql", "SELECT path, detail FROM findings WHERE kind = 'wish-list'"})));
    }
    return notes;
}

void print_one(const PackageRepositoryResult& result, double seconds) {
    for (const std::string& note : result.notes) {
        std::cerr << visible(note) << "\n";
    }
    std::cout << fmt::format("{}, {} changed, {} with {} {}, {:.2f} seconds\n",
                             plainly_counted(result.commits, "new commit"),
                             plainly_counted(result.recipes, "recipe"),
                             plainly_counted(static_cast<std::size_t>(result.stacks), "stack"),
                             result.wishes, words_for(result.wishes, "wish", "wishes"), seconds);
    std::cout.flush();
    print_notes(notes_on(result.findings));
}

void print_all(const std::vector<PackageRepositoryResult>& results, double seconds) {
    for (const PackageRepositoryResult& result : results) {
        print_one(result, seconds);
    }
}

// Whether all paths are of this kind. Throws UsageError if only some are.
template <typename IsOne>
bool are_all(const std::vector<std::string>& paths, const IsOne& is_one, const char* of_one,
             const char* of_other) {
    const auto one = std::ranges::find_if(paths, is_one);
    if (one == paths.end()) {
        return false;
    }
    const auto other = std::ranges::find_if_not(paths, is_one);
    if (other != paths.end()) {
        refuse_missing(*other);
        throw UsageError(fmt::format("ingest: {} {}, and {} {}: load one after the other", *one,
                                     of_one, *other, of_other));
    }
    return true;
}

}  // namespace

bool are_files_of_times(const std::vector<std::string>& paths) {
    return are_all(paths, is_file_of_times, "has build times", "has none");
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

bool are_package_repositories(const std::vector<std::string>& paths) {
    return are_all(paths, is_package_repository, "is a package repository", "is not");
}

void run_package_repositories(const Invocation& invocation, const ParsedOptions& parsed,
                              unsigned jobs) {
    refuse_options_of_snapshots(parsed, "a package repository makes none");
    PackageRepositoryOptions options{parsed.words, std::min(jobs, most_threads)};
    run_and_report(
        invocation.database, "commit", "writing what they did",
        [&](auto& database, auto& line, const auto& progress) {
            const Watch watch(database, line);
            return interruptible("interrupted; nothing of it was loaded", [&] {
                return ingest_package_repositories(database, options, progress);
            });
        },
        [](auto& /*database*/, const auto& results, double seconds) {
            print_all(results, seconds);
        });
}

}  // namespace cacheledger
