#include "src/commands/asked/fetched_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "ingest/runs/sizes/mirror_sizes.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "reports/engine/server/connection.hpp"
#include "reports/questions/coverage/cached_builds.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

// Hashes of the archives of what is there, by the snapshot that has them.
std::map<std::string, std::vector<std::string>> hashes_by_snapshot(const AskedCache& cache,
                                                                   const Coverage& coverage) {
    std::map<std::string, std::vector<std::string>> hashes;
    const std::size_t snapshot = column_of(coverage.there, "snapshot");
    for (const auto& row : coverage.there.rows) {
        hashes[snapshot < row.size() ? to_text(row[snapshot]) : cache.now.name].push_back(
            archive_of(coverage, row));
    }
    return hashes;
}

// The mirrors that a snapshot was read from: what was typed now, else what was typed then.
std::vector<std::string> mirrors_of(AskedLedger& ledger, const std::string& snapshot) {
    if (auto typed = ledger.typed(snapshot)) {
        return {*std::move(typed)};
    }
    const auto source = only_value<std::string>(
        ledger.database(), "SELECT source FROM snapshot WHERE name = ?", snapshot);
    std::error_code ignored;
    if (std::filesystem::exists(source, ignored)) {
        return {source};  // its name may have a blank
    }
    std::vector<std::string> mirrors;
    std::istringstream words(source);
    for (std::string word; words >> word;) {
        try {
            mirrors.push_back(read_argument(word).path);
        } catch (const UsageError&) {  // a part of a path with blanks that is gone
            mirrors.push_back(word);
        }
    }
    return mirrors;
}

// What a mirror says of these builds. `unasked`: places that are no mirror, or can't be reached;
// each is tried and named once, however many snapshots were read from it.
BuildSizes ask_for(const std::string& mirror, const std::vector<SizedBuild>& builds,
                   std::set<std::string>& unasked, std::vector<std::string>& notes) {
    if (unasked.contains(mirror)) {
        return {};
    }
    ProgressLine line("asking for sizes");
    HttpOptions http;
    http.progress = [](const auto&, auto, auto) { stop_if_interrupted(); };
    AskedSizes asked;
    try {
        asked = ask_mirror(mirror, builds, http, [&](std::size_t done, std::size_t all) {
            line.count(done, all);
            stop_if_interrupted();
        });
    } catch (const InputError& error) {
        asked.problems = error.problems();
        unasked.insert(mirror);
    }
    std::ranges::move(first_notes(asked.problems, "more problem"), std::back_inserter(notes));
    if (asked.missing > 0) {
        notes.push_back(fmt::format("{}: the mirror has no file of {}", shown_argument(mirror),
                                    counted(static_cast<std::int64_t>(asked.missing), "build")));
    }
    return std::move(asked.sizes);
}

void keep(const std::filesystem::path& file, const BuildSizes& sizes,
          std::vector<std::string>& notes) {
    if (sizes.empty()) {
        return;
    }
    std::error_code ignored;
    if (is_postgresql_url(file.string()) || !std::filesystem::exists(file, ignored)) {
        notes.emplace_back("the sizes are not kept: --db is no file that is there");
        return;
    }
    try {
        SQLite::Database database = open_for_writing(file);
        keep_sizes(database, sizes);
    } catch (const SQLite::Exception& error) {
        notes.push_back(fmt::format("the sizes are not kept: {}", describe(error, file)));
    } catch (const std::exception& error) {
        notes.push_back(fmt::format("the sizes are not kept: {}", error.what()));
    }
}

}  // namespace

void fetch_sizes(const std::filesystem::path& file, AskedLedger& ledger, const AskedCache& cache,
                 Coverage& coverage, std::vector<std::string>& notes) {
    SQLite::Database& database = ledger.database();
    BuildSizes sizes;
    std::set<std::string> unasked;
    for (const auto& [snapshot, hashes] : hashes_by_snapshot(cache, coverage)) {
        std::vector<SizedBuild> builds = builds_without_size(database, hashes);
        for (const std::string& mirror : mirrors_of(ledger, snapshot)) {
            if (builds.empty()) {
                break;
            }
            sizes.merge(ask_for(mirror, builds, unasked, notes));
            std::erase_if(builds, [&](const SizedBuild& one) { return sizes.contains(one.hash); });
        }
    }
    keep(file, sizes, notes);
    coverage.to_fetch = size_to_fetch(database, coverage, sizes);
}

}  // namespace cacheledger
