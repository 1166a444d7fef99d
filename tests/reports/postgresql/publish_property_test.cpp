#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>

#include "ingest/snapshots/forget.hpp"
#include "tests/reports/postgresql/published_tables.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/models/random_sources.hpp"

namespace publish_property_test {

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
        const int what = random_.below(10);
        if (what < 2 && !names_.empty()) {
            forget_one();
        } else if (what == 2) {
            fill();
        } else if (what == 3) {
            load_some_pages();
        } else {
            load_one();
        }
    }

    bool maybe() { return random_.maybe(); }
    TempLedger& ledger() { return ledger_; }
    const std::string& told() const { return told_; }

  private:
    void forget_one() {
        const std::string name =
            *std::next(names_.begin(), random_.below(static_cast<int>(names_.size())));
        told_ += "forget " + name + "\n";
        forget(ledger_.database(), name);
        names_.erase(name);
        sources_.erase(name);
    }

    /// Pages of some packages, of which one can't be read and one has a finding.
    void load_some_pages() {
        Given source;
        source.kind = "pages";
        source.day = 1 + random_.below(8);
        const bool is_there = names_.contains(source.name());
        IngestOptions options{.partial = random_.maybe(), .keep_going = true, .replace = is_there};
        told_ += fmt::format("{} {} pages {}\n", is_there ? "replace" : "load",
                             options.partial ? "some" : "all", source.name());
        PrintedPage page{"p1", {{hash_of("page")}}};
        page.specs[0].more = random_.maybe() ? R"(, "unknown": 1)" : "";
        const auto folder = fmt::format("some{}", ++folders_);
        ledger_.folder().write(folder + "/p1.md", page.text());
        ledger_.folder().write(
            folder + "/p2.md",
            "---\ntitle: p2\ncategories: [package, develop]\nspec_details: [\n---");
        ledger_.ingest(source.moment(), {(ledger_.folder().path() / folder).string()}, options);
        names_.insert(source.name());
        sources_.erase(source.name());
    }

    void load_one() {
        const Given source = random_.any(1 + random_.below(8));
        const bool is_there = names_.contains(source.name());
        told_ +=
            fmt::format("{} {} {}\n", is_there ? "replace" : "load", source.kind, source.name());
        load(ledger_, source, is_there);
        names_.insert(source.name());
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
    std::set<std::string> names_;           // of all snapshots
    std::map<std::string, Given> sources_;  // of those that were made by load()
    int folders_ = 0;
    std::string told_;
};

}  // namespace

TEST_CASE(
    "Whatever happens to a ledger, what is published and pulled is equal, and a second publish "
    "writes nothing") {
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
        const auto pulled = ledger.folder().path() / "pulled.db";
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
            if (happenings.maybe()) {  // from any earlier state
                pull_file(url, pulled);
                REQUIRE(difference_of_file(pulled, ledger) == "");
                CHECK(pull_file(url, pulled).way == PullResult::Way::nothing);
            }
        }
        INFO("CACHELEDGER_SEED=" << seed << "\n" << happenings.told());
        publish(url, ledger);
        CHECK(publish(url, ledger, {.is_resync = true}).tables.empty());
        PostgresConnection writer(url);
        Publication(writer, PublishedName("site")).drop();
    }
}

}  // namespace publish_property_test
