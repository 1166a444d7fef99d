#include <fmt/format.h>

#include <cstdlib>
#include <random>

#include "ingest/snapshots/forget.hpp"
#include "tests/models/random_sources.hpp"
#include "tests/postgresql/published_tables.hpp"
#include "tests/postgresql/server.hpp"
#include "tests/support/catch.hpp"

using namespace cacheledger;
using namespace cacheledger::random_sources;

namespace {

unsigned first_seed() {
    const char* const text = std::getenv("CACHELEDGER_SEED");
    return text == nullptr ? std::random_device()() % 1'000'000
                           : static_cast<unsigned>(std::atoi(text));
}

/// How many; CACHELEDGER_TRIALS asks for more than there is time for each day.
unsigned seeds() {
    const char* const text = std::getenv("CACHELEDGER_TRIALS");
    return text == nullptr ? 12 : static_cast<unsigned>(std::atoi(text));
}

/// A ledger to which anything happens.
class Happenings {
  public:
    explicit Happenings(unsigned seed) : random_(seed) {}

    void step() {
        const int what = random_.below(8);
        if (what == 0 && !sources_.empty()) {
            forget_one();
        } else if (what == 1) {
            fill();
        } else {
            load_one();
        }
    }

    bool maybe() { return random_.maybe(); }
    TempLedger& ledger() { return ledger_; }
    const std::string& told() const { return told_; }

  private:
    void forget_one() {
        const auto at = random_.below(static_cast<int>(sources_.size()));
        const std::string name = std::next(sources_.begin(), at)->first;
        told_ += "forget " + name + "\n";
        forget(ledger_.database(), name);
        sources_.erase(name);
    }

    void load_one() {
        const Given source = random_.any(1 + random_.below(8));
        const bool is_there = sources_.contains(source.name());
        told_ +=
            fmt::format("{} {} {}\n", is_there ? "replace" : "load", source.kind, source.name());
        load(ledger_, source, is_there);
        sources_[source.name()] = source;
    }

    /// Loads a snapshot again that may say more of hashes than before, or the same.
    void fill() {
        if (sources_.empty()) {
            return;
        }
        Given source = sources_.begin()->second;
        for (auto& [hash, said] : source.specs) {
            said = {true, true, true, true};
        }
        told_ += "fill by " + source.name() + "\n";
        load(ledger_, source, true);
        sources_[source.name()] = source;
    }

    RandomSources random_;
    TempLedger ledger_;
    std::map<std::string, Given> sources_;
    std::string told_;
};

}  // namespace

TEST_CASE(
    "Whatever happens to a ledger, what is published is equal, and a second publish writes "
    "nothing") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const std::string url = postgresql_fixture::new_database(*server);
    PostgresConnection reader(url);
    const unsigned first = first_seed();
    for (unsigned seed = first; seed < first + seeds(); ++seed) {
        Happenings happenings(seed);
        TempLedger& ledger = happenings.ledger();
        for (int step = 0; step < 14; ++step) {
            happenings.step();
            if (happenings.maybe()) {
                continue;  // several between two publishes
            }
            INFO("CACHELEDGER_SEED=" << seed << "\n" << happenings.told());
            const bool is_first = value_of(reader, "SELECT to_regclass('site.published')").empty();
            const auto result = publish(url, ledger);
            CHECK((result.way == PublishResult::Way::all) == is_first);
            REQUIRE(first_difference(rows_of_published(reader, "site"), rows_of_ledger(ledger)) ==
                    "");
            const std::string before = next_transaction(reader);
            CHECK(publish(url, ledger).way == PublishResult::Way::nothing);
            CHECK(next_transaction(reader) == before);
        }
        INFO("CACHELEDGER_SEED=" << seed << "\n" << happenings.told());
        publish(url, ledger);
        CHECK(publish(url, ledger, {.is_resync = true}).tables.empty());
        PostgresConnection writer(url);
        Publication(writer, PublishedName("site")).drop();
    }
}
