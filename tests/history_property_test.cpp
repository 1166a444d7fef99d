#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "ingest/forget.hpp"
#include "schema/check.hpp"
#include "schema/snapshot.hpp"
#include "tests/catch.hpp"
#include "tests/temp_ledger.hpp"

using namespace cacheledger;

namespace {

using Stacks = std::string;                          // "e4s,root"
using PackageState = std::map<std::string, Stacks>;  // by hash

/// What one snapshot was given: packages, and those whose pages could not be read.
struct Observation {
    std::string tag;
    std::string moment;
    bool partial = false;
    std::map<std::string, PackageState> given;
    std::set<std::string> unreadable;

    bool observes(const std::string& package) const {
        return given.contains(package) || (!partial && !unreadable.contains(package));
    }
};

std::string without_root(const Stacks& stacks) {
    return stacks == "root" ? "" : stacks.substr(0, stacks.find(",root"));
}

/// All snapshots of one series, in memory: a state follows from looking back for each package.
class Series {
  public:
    void put(const std::string& name, const Observation& observation) {
        snapshots_[observation.moment] = {name, observation};
    }
    void erase(const std::string& moment) { snapshots_.erase(moment); }

    void add_rows(const std::vector<std::string>& packages, std::vector<std::string>& snapshots,
                  std::vector<std::string>& specs, std::vector<std::string>& changes,
                  std::vector<std::string>& pages) const {
        std::map<std::string, PackageState> state;
        for (const auto& [moment, entry] : snapshots_) {
            const auto& [name, observation] = entry;
            std::size_t count = 0;
            std::size_t present = 0;
            for (const std::string& package : packages) {
                const PackageState before = state[package];
                if (observation.observes(package)) {
                    const auto given = observation.given.find(package);
                    state[package] =
                        given == observation.given.end() ? PackageState{} : given->second;
                }
                if (observation.given.contains(package)) {
                    pages.push_back(fmt::format("{}|{}|{}", name, package, state[package].size()));
                }
                for (const auto& [hash, stacks] : state[package]) {
                    specs.push_back(fmt::format("{}|{}|{}|{}", name, package, hash, stacks));
                    const auto old = before.find(hash);
                    if (old == before.end()) {
                        changes.push_back(fmt::format("{}|{}|{}|added", name, package, hash));
                    } else if (without_root(old->second) != without_root(stacks)) {
                        changes.push_back(fmt::format("{}|{}|{}|stacks", name, package, hash));
                    }
                }
                for (const auto& [hash, stacks] : before) {
                    if (!state[package].contains(hash)) {
                        changes.push_back(fmt::format("{}|{}|{}|removed", name, package, hash));
                    }
                }
                count += state[package].size();
                present += state[package].empty() ? 0 : 1;
            }
            snapshots.push_back(fmt::format("{}|{}|{}|{}", name, present, count,
                                            observation.partial ? "partial" : "whole"));
        }
    }

  private:
    std::map<std::string, std::pair<std::string, Observation>> snapshots_;  // by moment
};

struct Rows {
    std::vector<std::string> snapshots, specs, changes, pages;
};

/// A random history, told to a ledger and to a model.
class History {
  public:
    explicit History(unsigned seed) : random_(seed) {}

    void step() {
        const int what = below(10);
        if (what < 2 && !known_.empty()) {
            forget_one();
        } else if (what < 4 && !known_.empty()) {
            replace_one();
        } else {
            observe_one();
        }
    }

    Rows expected() const {
        Rows rows;
        for (const auto& [name, series] : series_) {
            series.add_rows(packages_, rows.snapshots, rows.specs, rows.changes, rows.pages);
        }
        for (auto* list : {&rows.snapshots, &rows.specs, &rows.changes, &rows.pages}) {
            std::sort(list->begin(), list->end());
        }
        return rows;
    }

    Rows actual() {
        Rows rows;
        rows.snapshots = ledger_.rows("SELECT name, packages, specs, extent FROM snapshots");
        rows.specs = ledger_.rows("SELECT snapshot, package, hash, stacks FROM specs");
        rows.changes = ledger_.rows("SELECT snapshot, package, hash, change FROM changes");
        rows.pages = ledger_.rows("SELECT snapshot, package, num_specs FROM pages");
        for (auto* list : {&rows.snapshots, &rows.specs, &rows.changes, &rows.pages}) {
            std::sort(list->begin(), list->end());
        }
        return rows;
    }

    TempLedger& ledger() { return ledger_; }
    const std::vector<std::string>& told() const { return told_; }

  private:
    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

    PackageState any_state(const std::string& package) {
        static const std::vector<Stacks> stacks = {"e4s,root", "e4s", "e4s,ml,root", "ml", "root"};
        PackageState state;
        for (const char* const suffix : {"a", "b", "c", "d"}) {
            if (below(2) == 0) {
                state[hash_of(package + suffix)] = stacks[static_cast<std::size_t>(below(5))];
            }
        }
        return state;
    }

    Observation any_observation(const std::string& tag, const std::string& moment) {
        Observation observation;
        observation.tag = tag;
        observation.moment = moment;
        observation.partial = below(3) == 0;
        for (const std::string& package : packages_) {
            const int what = below(8);
            if (what < 5) {
                observation.given[package] = any_state(package);
            } else if (what == 5) {
                observation.unreadable.insert(package);
            }
        }
        if (observation.given.empty()) {
            observation.given[packages_[0]] = any_state(packages_[0]);
            observation.unreadable.erase(packages_[0]);
        }
        return observation;
    }

    void ingest(const std::string& name, const Observation& observation, bool replace) {
        const auto below_pages = std::filesystem::path("pages");
        std::filesystem::remove_all(ledger_.folder().path() / below_pages);
        for (const auto& [package, state] : observation.given) {
            PrintedPage page{package, {}, observation.tag, ""};
            for (const auto& [hash, stacks] : state) {
                PrintedSpec spec{.hash = hash};
                spec.stacks.clear();
                for (std::size_t at = 0; at <= stacks.size();) {
                    const std::size_t end = std::min(stacks.find(',', at), stacks.size());
                    spec.stacks.push_back(stacks.substr(at, end - at));
                    at = end + 1;
                }
                page.specs.push_back(spec);
            }
            ledger_.folder().write(below_pages / fmt::format("{}.md", package), page.text());
        }
        for (const std::string& package : observation.unreadable) {
            ledger_.folder().write(
                below_pages / fmt::format("{}.md", package),
                fmt::format("---\ntitle: {}\ncategories: [package, {}]\nspec_details: [\n---",
                            package, observation.tag));
        }
        IngestOptions options;
        options.partial = observation.partial;
        options.keep_going = true;
        options.replace = replace;
        ledger_.ingest(observation.moment, {(ledger_.folder().path() / below_pages).string()},
                       options);
        told_.push_back(
            fmt::format("{} {}{}: given {}, unreadable {}", replace ? "replace" : "ingest", name,
                        observation.partial ? " (partial)" : "", fmt::join(observation.given, " "),
                        fmt::join(observation.unreadable, " ")));
        known_[name] = observation;
        series_of(observation).put(name, observation);
    }

    void observe_one() {
        const std::string day = fmt::format("2025-03-{:02}", 1 + below(12));
        const bool dated = below(3) == 0;
        const std::string tag = dated ? "develop-" + day : "develop";
        const std::string name = dated ? tag : "develop@" + day + "T00:00:00Z";
        if (known_.contains(name)) {
            ingest(name, known_[name], false);  // again: changes nothing
        } else {
            ingest(name, any_observation(tag, day), false);
        }
    }

    std::string any_known() {
        return std::next(known_.begin(), below(static_cast<int>(known_.size())))->first;
    }

    void replace_one() {
        const std::string name = any_known();
        ingest(name, any_observation(known_[name].tag, known_[name].moment), true);
    }

    void forget_one() {
        const std::string name = any_known();
        forget(ledger_.database(), name);
        told_.push_back("forget " + name);
        series_of(known_[name]).erase(known_[name].moment);
        known_.erase(name);
    }

    Series& series_of(const Observation& observation) {
        return series_[observation.tag == "develop" ? "develop" : "develop-*"];
    }

    std::mt19937 random_;
    TempLedger ledger_;
    const std::vector<std::string> packages_ = {"hwloc", "mpich", "zlib"};
    std::map<std::string, Observation> known_;  // by name
    std::map<std::string, Series> series_;
    std::vector<std::string> told_;
};

}  // namespace

TEST_CASE("Any history gives what looking back gives") {
    for (unsigned seed = 1; seed <= 15; ++seed) {
        History history(seed);
        for (int step = 0; step < 20; ++step) {
            history.step();
            INFO("seed " << seed << ":\n" << fmt::format("{}", fmt::join(history.told(), "\n")));
            const Rows expected = history.expected();
            const Rows actual = history.actual();
            REQUIRE(actual.snapshots == expected.snapshots);
            REQUIRE(actual.specs == expected.specs);
            REQUIRE(actual.changes == expected.changes);
            REQUIRE(actual.pages == expected.pages);
        }
        INFO("seed " << seed << ":\n" << fmt::format("{}", fmt::join(history.told(), "\n")));
        CHECK(find_problems(history.ledger().database(), 10) == std::vector<std::string>{});
    }
}
