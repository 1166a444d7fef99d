#include "ingest/runs/ingest.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "ingest/snapshots/forget.hpp"
#include "ingest/snapshots/load.hpp"
#include "ingest/sources/source.hpp"
#include "ingest/stored/known_pages.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/tag.hpp"
#include "schema/sqlite/statement.hpp"
#include "schema/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

bool is_taken(SQLite::Database& database, Moment moment) {
    SQLite::Statement taken(database, "SELECT 1 FROM snapshot WHERE taken_at = ?");
    rebind(taken, moment);
    return taken.executeStep();
}

// Begins a transaction at a moment without a snapshot. A run right after another one may fall into
// the same second, and waits for the next. Others may write while it waits.
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

void read_all(SQLite::Database& database, Source& source, Load& load, const Progress& progress) {
    const KnownPages known(database);
    std::size_t done = 0;
    source.read([&](const Digest& digest) { return known.find(digest); },
                [&](const PageState& state) {
                    load.take(state);
                    progress(++done, source.size());
                });
}

IngestResult result_of(const Load& load, const Dictionary& dictionary, const Source& source) {
    return {load.result(), dictionary.new_specs(), source.notes()};
}

void refuse_bad_tag(const IngestOptions& options) {
    if (const auto problem = options.tag ? tag_problem(*options.tag) : std::nullopt) {
        throw UsageError(fmt::format("--tag '{}': {}", *options.tag, *problem));
    }
}

}  // namespace

IngestResult ingest(SQLite::Database& database, const IngestOptions& options,
                    const Progress& progress) {
    refuse_bad_tag(options);
    return ingest(database, *open_source(options.paths, options.jobs), options, progress);
}

IngestResult ingest(SQLite::Database& database, Source& source, const IngestOptions& options,
                    const Progress& progress) {
    refuse_bad_tag(options);
    LoadOptions load_options{fmt::format("{}", fmt::join(options.paths, " ")),
                             options.taken_at.value_or(0),
                             options.tag,
                             options.partial,
                             options.keep_going,
                             options.replace};
    progress(0, source.size());
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
        read_all(database, source, load, progress);
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
            return result_of(load, dictionary, source);
        }
        replaced = load.to_replace();
    }
}

}  // namespace cacheledger
