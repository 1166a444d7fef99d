#include "ingest/runs/ingest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <set>

#include "ingest/runs/free_moment.hpp"
#include "ingest/runs/if_changed.hpp"
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

void read_all(SQLite::Database& database, Source& source, Load& load, const Progress& progress) {
    const KnownPages known(database);
    std::size_t done = 0;
    source.read([&](const Digest& digest) { return known.find(digest); },
                [&](const PageState& state) {
                    load.take(state);
                    progress(++done, source.size());
                });
}

std::string name_of_snapshot(SQLite::Database& database, std::int64_t snapshot_id) {
    SQLite::Statement select(database, "SELECT name FROM snapshot WHERE snapshot_id = ?");
    rebind(select, snapshot_id);
    select.executeStep();
    return select.getColumn(0).getString();
}

// Removes the new snapshots that have the content of the one before them.
void remove_unchanged(SQLite::Database& database, Dictionary& dictionary, PackageHistory& history,
                      LoadResult& result) {
    for (auto& [tag, snapshot_id] : result.snapshots) {
        const std::string name = name_of_snapshot(database, snapshot_id);
        const auto before = same_snapshot_before(database, snapshot_id);
        if (before && std::erase(result.loaded, name) > 0) {
            remove_snapshot(database, dictionary, history, snapshot_id);
            snapshot_id = *before;
            result.unchanged.push_back(name_of_snapshot(database, *before));
        }
    }
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
        load_options.taken_at = begin_at(options.taken_at, database, transaction);
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
            IngestResult result{load.result(), dictionary.new_specs(), source.notes()};
            if (options.if_changed && result.replaced.empty()) {
                remove_unchanged(database, dictionary, history, result);
            }
            if (!result.replaced.empty()) {
                sweep(database);
            }
            if (!result.loaded.empty()) {
                transaction->commit();
            }
            return result;
        }
        replaced = load.to_replace();
    }
}

}  // namespace cacheledger
