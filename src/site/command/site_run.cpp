#include "src/site/command/site_run.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "ingest/snapshots/forget.hpp"
#include "reports/site/data/ledger_slices.hpp"
#include "reports/site/data/plain_page.hpp"
#include "reports/site/data/site_reports.hpp"
#include "reports/site/data/site_results.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/ledger_copy.hpp"
#include "schema/ledger/file/reading_copy.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "src/options/versions/versions.hpp"
#include "src/site/command/chosen_site_snapshots.hpp"
#include "src/site/folder/site_bundle.hpp"
#include "src/site/folder/text_assets.hpp"
#include "src/terminal/stopping/interruption.hpp"
#include "src/terminal/stopping/watch.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

/// A larger ledger is left out of its site: no browser has room for it.
constexpr std::int64_t most_bytes_of_ledger = std::int64_t{1} << 30;

std::int64_t size_of(SQLite::Database& database) {
    return database.execAndGet("PRAGMA page_count").getInt64() *
           database.execAndGet("PRAGMA page_size").getInt64();
}

constexpr const char* too_large =
    "The ledger is larger than 1 GiB, so it is not in this site. A site of fewer snapshots "
    "(cacheledger site --last N) has it.";

}  // namespace

void SiteRun::write(SQLite::Database& ledger) {
    if (last_ || size_of(ledger) <= most_bytes_of_ledger) {
        const fs::path file = folder_.own_file("ledger.db");
        try {
            write_with_copy(copy_ledger(ledger, file));
        } catch (const SQLite::Exception& error) {
            if (is_interruption(error)) {
                throw;
            }
            throw UsageError(describe(error, file));
        }
    } else {
        write_results_of(ledger);
        write_about_of(ledger, {.reason = too_large});
    }
    write_reports(catalog_, writer());
}

WriteFile SiteRun::writer() const {
    return with_gzip([this](const std::string& name, std::string_view content) {
        folder_.write(name, content);
    });
}

/// The results are of the ledger that is in the site.
void SiteRun::write_with_copy(SQLite::Database own) {
    const Watch watch(own, progress_);
    if (last_) {
        keep_newest(own, *last_);
    }
    write_results_of(own);
    if (size_of(own) > most_bytes_of_ledger) {
        write_about_of(own, {.reason = too_large});
        return;
    }
    progress_.begin("packing the ledger");
    const fs::path file = folder_.own_file("packed.db");
    SQLite::Database packed = begin_copy_for_readers(file);
    {
        const Watch watch_packing(packed, progress_);
        copy_for_readers(own, packed);
    }
    write_about_of(own, write_ledger(file, writer(), [&](std::size_t done, std::size_t all) {
                       progress_.count(done, all);
                   }));
}

void SiteRun::write_results_of(SQLite::Database& database) {
    about_.title = parsed_.text("title").value_or("Binary cache");
    about_.snapshots = choose_site_snapshots(database, parsed_, notes_);
    progress_.begin("computing reports");
    about_.results =
        write_results(database, catalog_, about_.snapshots, writer(),
                      [&](std::size_t done, std::size_t all) { progress_.count(done, all); });
    writer()(std::string(front_file),
             filled(front_page_, plain_page(database, catalog_, about_.title, about_.snapshots)));
}

void SiteRun::write_about_of(SQLite::Database& database, WrittenLedger ledger) {
    about_.program = program_version();
    about_.mirror = parsed_.text("mirror");
    about_.ledger = std::move(ledger);
    write_about(database, about_, writer());
}

}  // namespace cacheledger
