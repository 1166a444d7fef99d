#include "ingest/ingest.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "ingest/file_pages.hpp"
#include "ingest/forget.hpp"
#include "ingest/known_pages.hpp"
#include "ingest/load.hpp"
#include "ingest/page_files.hpp"
#include "ingest/page_stream.hpp"
#include "schema/error.hpp"
#include "schema/statement.hpp"
#include "schema/tag.hpp"
#include "schema/write_transaction.hpp"

namespace cacheledger {

namespace {

bool is_taken(SQLite::Database& database, Moment moment) {
    SQLite::Statement taken(database, "SELECT 1 FROM snapshot WHERE taken_at = ?");
    rebind(taken, moment);
    return taken.executeStep();
}

// A run right after another one can fall into the same second: it waits for the next, so that its
// snapshot has a moment of its own. While it waits, others may write.
Moment begin_at_free_moment(SQLite::Database& database,
                            std::optional<WriteTransaction>& transaction) {
    while (true) {
        transaction.emplace(database);
        const Moment moment = now();
        if (!is_taken(database, moment)) {
            return moment;
        }
        transaction.reset();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void read_all(SQLite::Database& database, const std::vector<PageFile>& files, unsigned jobs,
              Load& load, const Progress& progress) {
    const KnownPages known(database);
    const auto make_read = [&]() -> PageStream::Read {
        return [&, reader = std::make_shared<PageReader>()](std::size_t index) {
            return read_page(files[index], known, *reader);
        };
    };
    PageStream stream(make_read, jobs);
    stream.start(files.size());
    std::size_t done = 0;
    while (auto item = stream.next()) {
        load.take(*item);
        progress(++done, files.size());
    }
}

IngestResult result_of(const Load& load, const Dictionary& dictionary, const FoundFiles& found) {
    return {load.result(), dictionary.new_specs(), found.linked_folders};
}

}  // namespace

IngestResult ingest(SQLite::Database& database, const IngestOptions& options,
                    const Progress& progress) {
    if (options.tag) {
        if (const auto problem = tag_problem(*options.tag)) {
            throw UsageError(fmt::format("--tag '{}': {}", *options.tag, *problem));
        }
    }
    const FoundFiles found = find_page_files(options.paths, options.jobs);
    LoadOptions load_options{fmt::format("{}", fmt::join(options.paths, " ")),
                             options.taken_at.value_or(0),
                             options.tag,
                             options.partial,
                             options.keep_going,
                             options.replace,
                             std::nullopt};
    progress(0, found.files.size());
    std::set<std::string> replaced;
    while (true) {
        std::optional<WriteTransaction> transaction;
        if (options.taken_at) {
            transaction.emplace(database);
        } else {
            load_options.taken_at = begin_at_free_moment(database, transaction);
        }
        Dictionary dictionary(database);
        PackageHistory history(database);
        Load load(database, dictionary, history, load_options, replaced);
        read_all(database, found.files, options.jobs, load, progress);
        if (!load.has_snapshots() && (options.keep_going || !load.has_bad_pages())) {
            auto lines = load.problems();
            lines.push_back(
                fmt::format("{}: no package pages found; expected .md or .txt files that "
                            "open with front matter",
                            fmt::join(options.paths, " ")));
            throw InputError(lines);
        }
        load.finish();
        if (load.to_replace().empty()) {
            if (!load.result().replaced.empty()) {
                sweep(database);
            }
            if (!load.result().loaded.empty()) {
                transaction->commit();
            }
            return result_of(load, dictionary, found);
        }
        replaced = load.to_replace();
    }
}

}  // namespace cacheledger
