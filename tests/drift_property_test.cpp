#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "reports/diff.hpp"
#include "reports/drift_table.hpp"
#include "reports/state_comparison.hpp"
#include "schema/snapshot.hpp"
#include "tests/catch.hpp"
#include "tests/temp_ledger.hpp"

using namespace cacheledger;

namespace {

using Lines = std::vector<std::string>;

constexpr int specs_of_package = 40;
constexpr int steady_specs = 240;  // so that few changes are few: reports/state_comparison.hpp
constexpr const char* columns =
    "from_id, to_id, from_snapshot, to_snapshot, change, cause, package_id, look_id, spec_id, "
    "stack_set_id, group_look_id, group_compiler_id";

/// A ledger of two series, whose snapshots are random steps from one to the next.
class RandomLedger {
  public:
    RandomLedger(unsigned seed, int days) : random_(seed) {
        for (const std::string package : {"hwloc", "mpich", "zlib"}) {
            for (int i = 0; i < specs_of_package; ++i) {
                known_[package].push_back(any_spec(package, i));
            }
        }
        for (int i = 0; i < steady_specs; ++i) {
            PrintedSpec spec{.hash = hash(i, "steady"), .version = std::to_string(i / 20)};
            spec.variants = {fmt::format("k={}", i / 2)};
            known_["steady"].push_back(spec);
        }
        for (int day = 1; day <= days; ++day) {
            take(fmt::format("2025-03-{:02}", day), "develop");
            if (day % 2 == 0) {
                take(fmt::format("2025-03-{:02}", day), "v1");
            }
        }
        // What no page says so far: the stacks of a spec are not known.
        ledger_.database().exec("UPDATE presence SET stack_set_id = NULL WHERE spec_id % 7 = 0");
    }

    TempLedger& ledger() { return ledger_; }
    std::vector<Snapshot> snapshots() {
        std::vector<Snapshot> snapshots;
        for (const std::string& name : ledger_.rows("SELECT name FROM snapshot ORDER BY name")) {
            snapshots.push_back(find_snapshot(ledger_.database(), name));
        }
        return snapshots;
    }

  private:
    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

    template <typename Choice>
    Choice any(const std::vector<Choice>& choices) {
        return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
    }

    static std::string hash(int number, const std::string& package) {
        std::string stem;
        for (int rest = number; stem.size() < 3; rest /= 26) {
            stem += static_cast<char>('a' + rest % 26);
        }
        return hash_of(stem + package);
    }

    PrintedSpec any_spec(const std::string& package, int number) {
        using Texts = std::vector<std::string>;
        PrintedSpec spec{.hash = hash(number * 17 % 97, package)};
        spec.version = any(Texts{"1.0", "1.1", "2.0"});
        spec.compiler = any(Texts{"gcc@13.2.0", "gcc@12.1.0", "none"});
        spec.target = any(Texts{"x86_64_v3", "x86_64_v3", "aarch64"});
        spec.os = any(Texts{"ubuntu24.04", "ubuntu24.04", "ubuntu20.04"});
        spec.variants = any(std::vector<Texts>{
            {"+mpi", "~ipo"}, {"+mpi", "+ipo"}, {"~mpi", "~ipo", "k=a,b"}, {"~mpi", "k=b"}});
        return spec;
    }

    /// A state goes on from the one before: a few specs come, go or move; now and then many.
    void take(const std::string& moment, const std::string& tag) {
        IngestOptions options;
        options.partial = below(3) == 0;
        std::vector<PrintedPage> pages;
        for (const auto& [package, specs] : known_) {
            if (options.partial && below(2) == 0 && package != "steady") {
                continue;
            }
            if (package != "steady") {
                change(present_[tag][package], below(3) == 0 ? specs_of_package : 3);
            }
            PrintedPage page{package, {}, tag, ""};
            for (std::size_t i = 0; i < specs.size(); ++i) {
                if (const auto& stacks = present_[tag][package][static_cast<int>(i)];
                    package == "steady" || !stacks.empty()) {
                    page.specs.push_back(specs[i]);
                    page.specs.back().stacks = package == "steady" ? Lines{"e4s"} : stacks;
                }
            }
            pages.push_back(page);
        }
        ledger_.take(moment, pages, options);
    }

    void change(std::map<int, Lines>& present, int times) {
        if (below(12) == 0) {
            present.clear();
            return;
        }
        for (int i = 0; i < times; ++i) {
            present[below(specs_of_package)] = any(std::vector<Lines>{
                {}, {}, {"e4s", "root"}, {"e4s"}, {"ml"}, {"e4s", "ml", "root"}, {"root"}});
        }
    }

    std::mt19937 random_;
    TempLedger ledger_;
    std::map<std::string, std::vector<PrintedSpec>> known_;                       // by package
    std::map<std::string, std::map<std::string, std::map<int, Lines>>> present_;  // stacks, by tag
};

Lines sorted(Lines lines) {
    std::sort(lines.begin(), lines.end());
    return lines;
}

Lines lines_of(const ResultTable& table) {
    Lines lines = {fmt::format("{}", fmt::join(table.columns, "|"))};
    for (const auto& row : table.rows) {
        std::string line;
        for (const Value& value : row) {
            line += (is_null(value) ? "NULL" : to_text(value)) + "|";
        }
        lines.push_back(line);
    }
    return lines;
}

const std::vector<Arguments> filters = {
    {{"package", "*"}, {"stack", Value()}},
    {{"package", "[mz]*"}, {"stack", Value()}},
    {{"package", "*"}, {"stack", "ml"}},
    {{"package", "hwloc"}, {"stack", "no such stack"}},
};

}  // namespace

TEST_CASE("The table spec_drift has the rows of the view") {
    std::set<bool> ways;
    std::set<std::string> causes;
    for (unsigned seed = 1; seed <= 3; ++seed) {
        INFO("seed " << seed);
        RandomLedger random(seed, 5);
        TempLedger& ledger = random.ledger();
        const auto snapshots = random.snapshots();
        DriftTable table(ledger.database());
        for (const Snapshot& from : snapshots) {
            for (const Snapshot& to : snapshots) {
                INFO(from.name << " -> " << to.name);
                const std::string pair = fmt::format(
                    "WHERE from_snapshot = '{}' AND to_snapshot = '{}'", from.name, to.name);
                const auto rows = [&](const char* schema) {
                    return sorted(ledger.rows(
                        fmt::format("SELECT {} FROM {}.spec_drift {}", columns, schema, pair)));
                };
                REQUIRE(rows("temp") == rows("main"));
                for (const auto& row : table.between(from, to)->rows()) {
                    causes.emplace(cause_word(row.cause));
                }
                ways.insert(compare_states(ledger.database(), from, to).has_all_looks);
            }
        }
    }
    CHECK(ways.size() == 2);  // both ways to read were gone
    CHECK(causes.size() == 7);
}

TEST_CASE("The table spec_drift can be asked as the view can") {
    RandomLedger random(1, 3);
    TempLedger& ledger = random.ledger();
    const DriftTable table(ledger.database());
    for (const char* const condition :
         {"", "WHERE from_id = 1", "WHERE to_id = 2 AND cause = 'rebuilt'",
          "WHERE from_id = '1' AND to_snapshot = 'develop@2025-03-03T00:00:00Z'",
          "WHERE from_id = 1 AND from_snapshot = 'v1@2025-03-02T00:00:00Z'",
          "WHERE from_snapshot = NULL", "WHERE cause = NULL", "WHERE cause = '' AND from_id = 1",
          "WHERE from_id = 1 AND cause IN ('rebuilt', 'copies')",
          "WHERE from_id = 1 AND to_id IN (2, 3) AND cause GLOB '[cv]*'",
          "WHERE from_id = 1 AND to_id = 3 AND cause = 'REBUILT' COLLATE NOCASE",
          "JOIN snapshot s ON s.snapshot_id = to_id JOIN look USING (look_id) "
          "WHERE from_snapshot = s.name OR from_id = s.snapshot_id - 1"}) {
        INFO(condition);
        const auto rows = [&](const char* schema) {
            return sorted(
                ledger.rows(fmt::format("SELECT from_id, to_id, change, cause, spec_id "
                                        "FROM {}.spec_drift {}",
                                        schema, condition)));
        };
        CHECK(rows("temp") == rows("main"));
    }
}

TEST_CASE("A query of another text gets the view, and nothing stays behind") {
    RandomLedger random(1, 3);
    TempLedger& ledger = random.ledger();
    const std::string sql = "SELECT count(*) FROM {} WHERE from_id = 1 AND to_id = 3";
    const auto count = [&](const char* name) {
        return run_query(ledger.database(), "count", fmt::format(fmt::runtime(sql), name), {}).rows;
    };
    CHECK(count("spec_drift") == count("main.spec_drift"));
    CHECK(count("spec_drift") == count("Spec_Drift"));
    CHECK(ledger.value("SELECT count(*) FROM sqlite_temp_schema") == "0");
}

TEST_CASE("What diff says is what the reports of drift/ say") {
    const Catalog catalog;
    const std::vector<std::string> names = {"packages", "versions", "targets", "compilers",
                                            "variants", "rebuilt",  "copies",  "stacks"};
    std::set<std::string> kinds;
    for (unsigned seed = 21; seed <= 23; ++seed) {
        INFO("seed " << seed);
        RandomLedger random(seed, 3);
        SQLite::Database& database = random.ledger().database();
        const auto snapshots = random.snapshots();
        for (const Snapshot& from : snapshots) {
            for (const Snapshot& to : snapshots) {
                for (const Arguments& filter : filters) {
                    INFO(from.name << " -> " << to.name << ", " << to_text(filter.at("package"))
                                   << ", " << to_text(filter.at("stack")));
                    const Diff diff =
                        compare_snapshots(database, catalog, from.name, to.name, filter);
                    Arguments arguments = filter;
                    arguments["from"] = from.name;
                    arguments["to"] = to.name;
                    const auto report = [&](const std::string& name) {
                        return lines_of(
                            run_report(database, catalog.find("drift/" + name), arguments));
                    };
                    REQUIRE(lines_of(diff.causes) == report("summary"));
                    REQUIRE(diff.sections.size() == names.size());
                    for (std::size_t i = 0; i < names.size(); ++i) {
                        INFO(names[i]);
                        REQUIRE(lines_of(diff.sections[i].table) == report(names[i]));
                    }
                    for (const KindCount& kind : diff.summary) {
                        if (kind.count > 0) {
                            kinds.insert(kind.kind);
                        }
                    }
                }
            }
        }
    }
    CHECK(kinds.size() == 13);  // all that there are
}
