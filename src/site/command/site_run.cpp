#include "src/site/command/site_run.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "reports/render/document/document.hpp"
#include "reports/site/data/site_data.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/ledger_copy.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/command_line/parameters.hpp"
#include "src/options/versions/versions.hpp"
#include "src/site/folder/site_bundle.hpp"
#include "src/site/folder/text_assets.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

/// Works that run at once, of which all must succeed. If one fails, the others are asked to stop.
class Together {
  public:
    Together() = default;

    /// Waits for all threads, which are asked to stop.
    ~Together() { must_stop_ = true; }
    Together(const Together&) = delete;
    Together& operator=(const Together&) = delete;

    /// Runs the work in a thread of its own.
    void start(std::function<void()> work);

    /// Runs the work in this thread.
    void run(const std::function<void()>& work);

    /// Waits for all; calls `tick` every now and then meanwhile. Throws what the first one that
    /// failed threw: the others may only have stopped for it.
    void finish(const std::function<void()>& tick);

    /// Set once one has failed. Works look at it now and then.
    const std::atomic<bool>& must_stop() const { return must_stop_; }

  private:
    std::mutex mutex_;
    std::exception_ptr first_error_;
    std::atomic<bool> must_stop_ = false;
    std::atomic<int> running_ = 0;
    std::vector<std::jthread> threads_;  // last: they use the members above
};

void Together::start(std::function<void()> work) {
    ++running_;
    threads_.emplace_back([this, work = std::move(work)] {
        run(work);
        --running_;
    });
}

void Together::run(const std::function<void()>& work) {
    try {
        work();
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!first_error_) {
            first_error_ = std::current_exception();
        }
        must_stop_ = true;
    }
}

void Together::finish(const std::function<void()>& tick) {
    constexpr std::chrono::milliseconds between_ticks{20};
    while (running_ > 0) {
        tick();
        std::this_thread::sleep_for(between_ticks);
    }
    threads_.clear();
    if (first_error_) {
        std::rethrow_exception(first_error_);
    }
}

/// A ledger that has no snapshot of pages or indexes has a site, too.
std::optional<std::string> choose_at(SQLite::Database& database, const ParsedOptions& parsed,
                                     std::vector<std::string>& notes) {
    if (!parsed.has("at") && newest_snapshots(database).empty()) {
        return std::nullopt;
    }
    return choose_snapshot(database, parsed.text("at"), notes).name;
}

/// The default of a pair can be missing; what the user asks for can't.
std::optional<SnapshotPair> choose_default_pair(SQLite::Database& database,
                                                const ParsedOptions& parsed,
                                                std::vector<std::string>& notes) {
    try {
        return parsed.has("at") ? pair_up_to(database, find_snapshot(database, *parsed.text("at")))
                                : choose_newest_pair(database, notes);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

/// The snapshots that a site shows first, from --at, --from and --to. What is not asked for may be
/// missing: a ledger without a snapshot, or without a pair, has a site, too. Adds to `notes` what
/// was chosen among several. Throws UsageError if a snapshot that is asked for is not there.
SiteSnapshots choose_site_snapshots(SQLite::Database& database, const ParsedOptions& parsed,
                                    std::vector<std::string>& notes) {
    SiteSnapshots chosen{choose_at(database, parsed, notes), {}, {}};
    std::optional<SnapshotPair> pair;
    if (parsed.has("from")) {
        const auto to = parsed.has("to") ? parsed.text("to") : chosen.at;
        pair = choose_pair(database, {*parsed.text("from"), to.value_or("latest")}, notes);
    } else if (parsed.has("to")) {
        pair = choose_pair(database, {*parsed.text("to")}, notes);
    } else {
        pair = choose_default_pair(database, parsed, notes);
    }
    if (pair) {
        chosen.from = pair->from.name;
        chosen.to = pair->to.name;
    }
    return chosen;
}

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
    about_.title = parsed_.text("title").value_or("Binary cache");
    if (last_ || size_of(ledger) <= most_bytes_of_ledger) {
        const fs::path file = folder_.own_file("ledger.db");
        try {
            write_with_copy(copy_ledger(ledger, file), file);
        } catch (const SQLite::Exception& error) {
            if (is_interruption(error)) {
                throw;
            }
            throw UsageError(describe(error, file));
        }
    } else {
        write_feed(ledger);
        choose_snapshots(ledger);
        SiteResults results(ledger, catalog_, about_.snapshots);
        for (const ResultPart part : result_parts) {
            results.compute(part, ledger, counting());
        }
        write_all(ledger, results);
    }
}

WriteFile SiteRun::writer() const {
    return with_gzip([this](const std::string& name, std::string_view content) {
        folder_.write(name, content);
    });
}

Progress SiteRun::counting() {
    return [this](std::size_t done, std::size_t all) { progress_.count(done, all); };
}

/// The results are of the ledger that is in the site. Each part of them takes about as long as
/// packing the ledger does, so all are done at once, by connections of their own to the copy, which
/// nobody writes to any more.
void SiteRun::write_with_copy(SQLite::Database copy, const fs::path& file) {
    {
        const Watch watch(copy, progress_);
        write_feed(copy);
        if (last_) {
            keep_newest(copy, *last_);
        }
    }
    choose_snapshots(copy);
    SiteResults results(copy, catalog_, about_.snapshots);
    std::atomic<std::size_t> packed = 0;
    std::atomic<std::size_t> to_pack = 0;
    Together together;
    if (size_of(copy) <= most_bytes_of_ledger) {
        together.start([&] {
            about_.ledger =
                pack(file, together.must_stop(), [&](std::size_t done, std::size_t all) {
                    packed = done;
                    to_pack = all;
                });
        });
    }
    for (const ResultPart part : result_parts) {
        if (part != ResultPart::history) {
            together.start([&, part] {
                SQLite::Database own = open_copy(file);
                const Watch watch(own, together.must_stop());
                own.exec("BEGIN");  // else each statement locks the file again
                results.compute(part, own, no_progress);
            });
        }
    }
    together.run([&] {
        const Watch watch(copy, progress_, &together.must_stop());
        results.compute(ResultPart::history, copy, counting());
    });
    progress_.begin("packing the ledger");
    together.finish([&] { progress_.count(packed, to_pack); });
    const Watch watch(copy, progress_);
    write_all(copy, results);
}

WrittenLedger SiteRun::pack(const fs::path& file, const std::atomic<bool>& must_stop,
                            const Progress& progress) const {
    const fs::path packed_file = folder_.own_file("packed.db");
    SQLite::Database own = open_copy(file);
    SQLite::Database packed = begin_copy_for_readers(packed_file);
    {
        const Watch watch(packed, must_stop);
        copy_for_readers(own, packed);
    }
    return write_ledger(packed_file, writer(), [&](std::size_t done, std::size_t all) {
        if (must_stop) {
            throw Interrupted("interrupted");
        }
        progress(done, all);
    });
}

/// Each snapshot is told against the one before it, which need not be in the site (--last).
void SiteRun::write_feed(SQLite::Database& database) {
    std::ostringstream feed;
    write_atom(site_feed(database, catalog_, about_.title, last_), feed);
    writer()(std::string(feed_file), feed.str());
}

void SiteRun::choose_snapshots(SQLite::Database& database) {
    about_.snapshots = choose_site_snapshots(database, parsed_, notes_);
    about_.ledger.reason = too_large;
    progress_.begin("computing reports");
}

/// The front page, which names the files that name all others, is the last.
void SiteRun::write_all(SQLite::Database& database, const SiteResults& results) {
    about_.results = results.write(writer());
    about_.program = program_version();
    about_.mirror = parsed_.text("mirror");
    const auto& [first_group, first_digest] = about_.results.digests.front();
    const std::vector<std::string> first_files = {
        data_file_name("about", write_about(database, about_, writer())),
        data_file_name("results." + first_group, first_digest),
        data_file_name("reports", write_reports(catalog_, writer())),
    };
    writer()(std::string(front_file),
             filled(front_page_, plain_page(database, catalog_, about_.title, about_.snapshots),
                    first_files));
}

}  // namespace cacheledger
