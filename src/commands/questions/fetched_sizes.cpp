#include "src/commands/questions/fetched_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>

#include "ingest/runs/sizes/mirror_sizes.hpp"
#include "ingest/sources/addresses/url.hpp"
#include "reports/engine/server/connection.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_problems_said = 3;

// Hashes of what is there, by the snapshot that has it.
std::map<std::string, std::vector<std::string>> hashes_by_snapshot(const AskedCache& cache,
                                                                   const Coverage& coverage) {
    std::map<std::string, std::vector<std::string>> hashes;
    const std::size_t hash = column_of(coverage.there, "hash");
    const std::size_t snapshot = column_of(coverage.there, "snapshot");
    for (const auto& row : coverage.there.rows) {
        hashes[snapshot < row.size() ? to_text(row[snapshot]) : cache.now.name].push_back(
            to_text(row[hash]));
    }
    return hashes;
}

void say_problems(const std::vector<std::string>& problems, std::vector<std::string>& notes) {
    const std::size_t said = std::min(problems.size(), most_problems_said);
    notes.insert(notes.end(), problems.begin(),
                 problems.begin() + static_cast<std::ptrdiff_t>(said));
    if (problems.size() > said) {
        notes.push_back(fmt::format(
            "{} like this",
            counted(static_cast<std::int64_t>(problems.size() - said), "more problem")));
    }
}

// What the mirror of a snapshot says of these builds.
BuildSizes ask_for(const std::string& place, const std::vector<SizedBuild>& builds,
                   std::vector<std::string>& notes) {
    ProgressLine line("asking for sizes");
    HttpOptions http;
    http.progress = [](const auto&, auto, auto) { stop_if_interrupted(); };
    http.say = [saying = std::make_shared<std::mutex>()](const std::string& text) {
        const std::lock_guard lock(*saying);
        std::cerr << visible(text) << "\n";
    };
    AskedSizes asked = ask_mirror(place, builds, http, [&](std::size_t done, std::size_t all) {
        line.count(done, all);
        stop_if_interrupted();
    });
    say_problems(asked.problems, notes);
    return std::move(asked.sizes);
}

void keep(const Invocation& invocation, const AskedLedger& ledger, const BuildSizes& sizes,
          std::vector<std::string>& notes) {
    if (sizes.empty() || ledger.has_files()) {
        return;
    }
    if (is_postgresql_url(invocation.database.string())) {
        notes.emplace_back("the sizes are not kept: a published ledger is not written to");
        return;
    }
    try {
        SQLite::Database database = open_for_writing(invocation.database);
        keep_sizes(database, sizes);
    } catch (const std::exception& error) {
        notes.push_back(fmt::format("the sizes are not kept: {}", error.what()));
    }
}

}  // namespace

void fetch_sizes(const Invocation& invocation, AskedLedger& ledger, const AskedCache& cache,
                 Coverage& coverage, std::vector<std::string>& notes) {
    SQLite::Database& database = ledger.database();
    BuildSizes sizes;
    for (const auto& [snapshot, hashes] : hashes_by_snapshot(cache, coverage)) {
        const std::vector<SizedBuild> builds = builds_without_size(database, hashes);
        if (builds.empty()) {
            continue;
        }
        const auto [source, kind] =
            rows<std::string, std::string>(
                database, "SELECT source, kind FROM snapshot WHERE name = ?", snapshot)
                .first()
                .value();
        if (kind != "index" || source.find(' ') != std::string::npos) {
            notes.push_back(fmt::format(
                "{}: sizes are asked of one mirror whose index was read; this was read from {}",
                snapshot, source));
            continue;
        }
        sizes.merge(ask_for(source, builds, notes));
    }
    keep(invocation, ledger, sizes, notes);
    coverage.to_fetch = size_to_fetch(database, coverage, sizes);
}

}  // namespace cacheledger
