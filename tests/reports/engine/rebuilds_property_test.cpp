#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace rebuilds_property_test {

using namespace cacheledger;

namespace {

/// Random snapshots of few looks and many hashes, so that specs are rebuilt, copied, moved between
/// stacks, lose their compiler and come back, often several of these at once. Some are partial, and
/// some pages can't be read. They are loaded in any order.
class RandomHistory {
  public:
    explicit RandomHistory(unsigned seed) : random_(seed) {
        std::vector<std::string> days;
        for (int snapshot = 0; snapshot < 6; ++snapshot) {
            days.push_back(fmt::format("2025-03-{:02}", snapshot + 1));
        }
        std::shuffle(days.begin(), days.end(), random_);
        for (const std::string& day : days) {
            take(day);
        }
    }

    TempLedger& ledger() { return ledger_; }
    std::string told() const { return fmt::format("{}", fmt::join(told_, "\n")); }

  private:
    std::size_t below(std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
    }

    /// What a hash stands for never changes: all but the stacks follows from its letters.
    PrintedSpec any_spec(const std::string& package) {
        static const Lines compilers = {"none", "gcc@13.2.0", "llvm@19"};
        static const Lines versions = {"1.0", "1.1"};
        const std::size_t compiler = below(3);
        const std::size_t version = below(6) == 0 ? 1 : 0;
        const std::string stem =
            fmt::format("{}{}{}{}", package, "bcd"[compiler], "ef"[version], "ghijk"[below(5)]);
        PrintedSpec spec{
            .hash = hash_of(stem), .version = versions[version], .compiler = compilers[compiler]};
        spec.stacks = {below(3) == 0 ? "ml" : "e4s"};
        return spec;
    }

    PrintedPage any_page(const std::string& package) {
        std::map<std::string, PrintedSpec> specs;
        for (std::size_t i = below(7); i > 0; --i) {
            const PrintedSpec spec = any_spec(package);
            specs.emplace(spec.hash, spec);
        }
        PrintedPage page{package, {}};
        for (const auto& [hash, spec] : specs) {
            page.specs.push_back(spec);
            told_.back() += fmt::format(" {}/{}", hash.substr(0, 9), spec.stacks[0]);
        }
        return page;
    }

    void take(const std::string& day) {
        IngestOptions options{.partial = below(4) == 0, .keep_going = true};
        told_.push_back(fmt::format("{}{}:", day, options.partial ? " (partial)" : ""));
        bool has_page = false;
        for (const std::string package : {"hwloc", "zlib"}) {
            const std::size_t what = has_page ? below(6) : 0;
            if (what == 1) {
                continue;
            }
            const auto file = fmt::format("{}/{}.md", day, package);
            if (what == 2) {
                told_.back() += " unreadable " + package;
                ledger_.folder().write(file, broken_page(package));
            } else {
                ledger_.folder().write(file, any_page(package).text());
                has_page = true;
            }
        }
        ledger_.ingest(day, {(ledger_.folder().path() / day).string()}, options);
    }

    std::mt19937 random_;
    TempLedger ledger_;
    Lines told_;
};

/// The same from drift/summary, from each snapshot to the next.
Lines summed(TempLedger& ledger) {
    struct Sum {
        int snapshots = 0;
        int specs = 0;
        std::string last;
    };
    std::map<std::string, Sum> sums;
    const Lines names = ledger.rows("SELECT name FROM snapshots ORDER BY taken_at");
    for (std::size_t i = 1; i < names.size(); ++i) {
        for (const std::string package : {"hwloc", "zlib"}) {
            const Lines causes =
                report_rows(ledger, "drift/summary",
                            {{"from", names[i - 1]}, {"to", names[i]}, {"package", package}});
            const std::string& rebuilt = causes.at(5);  // "rebuilt|2|2"
            const int specs = std::stoi(rebuilt.substr(rebuilt.find('|') + 1));
            if (specs > 0) {
                ++sums[package].snapshots;
                sums[package].specs += specs;
                sums[package].last = names[i].substr(names[i].find('@') + 1);
            }
        }
    }
    Lines lines;
    for (const auto& [package, sum] : sums) {
        lines.push_back(
            fmt::format("develop|{}|{}|{}|{}", package, sum.snapshots, sum.specs, sum.last));
    }
    return lines;
}

}  // namespace

TEST_CASE("Rebuilt packages are the sum of the drift from snapshot to snapshot") {
    std::size_t rows = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        RandomHistory history(seed);
        INFO("seed " << seed << ":\n" << history.told());
        Lines report = report_rows(history.ledger(), "history/rebuilds");
        std::sort(report.begin(), report.end());
        REQUIRE(report == summed(history.ledger()));
        rows += report.size();
    }
    CHECK(rows > 40);  // else the histories are too tame
}

}  // namespace rebuilds_property_test
