#include "ingest/runs/files/ingest.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "ingest/rows/earlier/commit_log.hpp"
#include "ingest/rows/earlier/known_pages.hpp"
#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

bool is_taken(SQLite::Database& database, Moment moment) {
    return first_value<bool>(database, "SELECT 1 FROM snapshot WHERE taken_at = ?", moment)
        .has_value();
}

// Begins a transaction, and returns the moment of its snapshots: that of the user, else one at
// which the ledger has none. A run right after another one may fall into the same second, and waits
// for the next. Others may write while it waits.
Moment begin_at(std::optional<Moment> taken_at, SQLite::Database& database,
                std::optional<WriteTransaction>& transaction) {
    while (true) {
        transaction.emplace(database);
        const Moment moment = taken_at.value_or(now());
        if (taken_at || !is_taken(database, moment)) {
            return moment;
        }
        transaction.reset();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

// Gives a load what a source yields.
class LoadIntake : public Intake {
  public:
    LoadIntake(Load& load, Writing& writing, std::size_t size, const Progress& progress)
        : load_(load), writing_(writing), size_(size), progress_(progress) {
        progress_(0, size_);
    }

    FindKnown known_pages() override {
        return [known = std::make_shared<const KnownPages>(writing_.database)](
                   const Digest& digest) { return known->find(digest); };
    }
    const KnownNodes& known_nodes(const std::string& tag) override {
        return writing_.known_nodes(tag);
    }
    std::optional<FilesBefore> files_before(const std::string& tag) override {
        return load_.files_before(tag);
    }
    void take(const PageState& state) override { take_one(state); }
    void take(const GraphInput& input) override { take_one(input); }

  private:
    template <typename State>
    void take_one(const State& state) {
        load_.take(state);
        progress_(++done_, size_);
    }

    Load& load_;
    Writing& writing_;
    std::size_t size_;
    const Progress& progress_;
    std::size_t done_ = 0;
};

}  // namespace

IngestResult ingest(SQLite::Database& database, Source& source, const IngestOptions& options,
                    const Progress& progress) {
    if (const auto problem = options.tag ? tag_problem(*options.tag) : std::nullopt) {
        throw UsageError(fmt::format("--tag '{}': {}", *options.tag, *problem));
    }
    std::optional<WriteTransaction> transaction;
    std::optional<Writing> writing;
    const auto begin = [&] {
        writing.reset();
        transaction.reset();
        IngestOptions of_load = options;
        of_load.taken_at = begin_at(options.taken_at, database, transaction);
        return std::make_unique<Load>(writing.emplace(database), of_load);
    };
    const auto load = load_and_replace(begin, [&](Load& to_fill) {
        LoadIntake intake(to_fill, *writing, source.size(), progress);
        source.read(intake);
        return true;
    });
    if (load->leaves_over()) {
        sweep(database);
    }
    IngestResult result = load->result();
    result.new_specs = writing->dictionary.new_specs();
    result.new_nodes = writing->new_nodes();
    result.notes = source.notes();
    if (!load->has_changed()) {
        writing.reset();
        transaction.emplace(database);  // what was written is undone
    }
    judge_wishes(database);
    std::set<std::string> tags;
    for (const auto& [tag, snapshot_id] : result.snapshots) {
        tags.insert(tag);
    }
    record_check(*transaction, database, tags);
    transaction->commit();
    return result;
}

}  // namespace cacheledger
