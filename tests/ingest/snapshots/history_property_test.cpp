#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>

#include "ingest/snapshots/forget.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/models/history_model.hpp"

namespace history_property_test {

using namespace cacheledger;
using namespace cacheledger::history_model;
using cacheledger::history_model::Rows;

namespace {

/// A random history, told to a ledger and to a model.
class History {
  public:
    explicit History(unsigned seed) : random_(seed) {}

    void step() {
        const int what = below(10);
        if (what == 0 && !known_.empty()) {
            forget_one();
        } else if (what == 1) {
            forget_some();
        } else if (what < 4 && !known_.empty()) {
            replace_one();
        } else {
            observe_one();
        }
    }

    Rows expected() const {
        Rows rows;
        for (const auto& [name, series] : series_) {
            series.add_rows(name, packages_, rows);
        }
        return sorted(rows);
    }

    Rows actual() {
        Rows rows = {
            {"snapshots", ledger_.rows("SELECT name, packages, specs, extent FROM snapshots")},
            {"specs", ledger_.rows("SELECT snapshot, package, hash, stacks FROM specs")},
            {"changes", ledger_.rows("SELECT snapshot, package, hash, change FROM changes")},
            {"pages", ledger_.rows("SELECT snapshot, package, num_specs FROM pages")},
        };
        for (const char* const report :
             {"history/growth", "history/packages", "history/lifetime", "history/survival"}) {
            rows[report] = report_rows(ledger_, report);
        }
        const FilterWords words{.packages = {fmt::format("*@={}", filtered_version)}};
        const AskedLooks looks(ledger_.database(), LookFilter(words));
        rows[filtered_growth] = report_rows(ledger_, "history/growth");
        return sorted(rows);
    }

    TempLedger& ledger() { return ledger_; }
    const std::vector<std::string>& told() const { return told_; }

  private:
    static Rows sorted(Rows rows) {
        std::erase_if(rows, [](const auto& entry) { return entry.second.empty(); });
        for (auto& [name, lines] : rows) {
            std::sort(lines.begin(), lines.end());
        }
        return rows;
    }

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

    Observation any_observation(const std::string& tag, const std::string& day) {
        Observation observation;
        observation.tag = tag;
        observation.day = day;
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
                PrintedSpec spec{.hash = hash, .version = version_of(package, hash)};
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
        ledger_.ingest(observation.day, {(ledger_.folder().path() / below_pages).string()},
                       {.partial = observation.partial, .keep_going = true, .replace = replace});
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
        ingest(name, any_observation(known_[name].tag, known_[name].day), true);
    }

    void forget_one() {
        const std::string name = any_known();
        forget(ledger_.database(), name);
        told_.push_back("forget " + name);
        series_of(known_[name]).erase(known_[name].day);
        known_.erase(name);
    }

    void forget_some() {
        const Retention retention{.last = 1 + below(2), .weekly = below(3)};
        told_.push_back(fmt::format("forget all but the last {} and of {} weeks", retention.last,
                                    retention.weekly));
        for (const JudgedSnapshot& one :
             forget(ledger_.database(), retention, {}, [](std::size_t, std::size_t) {})) {
            if (one.reasons.empty()) {
                const std::string& name = one.snapshot.name;
                told_.push_back("  " + name);
                series_of(known_[name]).erase(known_[name].day);
                known_.erase(name);
            }
        }
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
            for (const auto& [name, lines] : expected) {
                INFO(name);
                REQUIRE(actual.contains(name));
                REQUIRE(actual.at(name) == lines);
            }
            REQUIRE(actual.size() == expected.size());
        }
        INFO("seed " << seed << ":\n" << fmt::format("{}", fmt::join(history.told(), "\n")));
        CHECK(find_problems(history.ledger().database(), 10) == std::vector<std::string>{});
    }
}

}  // namespace history_property_test
