#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <random>
#include <set>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/questions/diff/diff.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/models/drift_model.hpp"

namespace drift_property_test {

using namespace cacheledger;

namespace {

const Lines reports = {"summary",  "specs",   "packages", "versions", "targets",   "compilers",
                       "variants", "rebuilt", "copies",   "stacks",   "unobserved"};
const Lines packages = {"hwloc", "mpich", "zlib"};
constexpr int specs_of_package = 30;

/// A ledger of two series, whose snapshots are random steps from one to the next, and what each
/// snapshot had.
class RandomLedger {
  public:
    RandomLedger(unsigned seed, int days) : random_(seed) {
        for (const std::string& package : packages) {
            for (int i = 0; i < specs_of_package; ++i) {
                known_[package].push_back(any_spec(package, i));
            }
        }
        for (int day = 1; day <= days; ++day) {
            take(fmt::format("2025-03-{:02}", day), "develop");
            if (day % 2 == 0) {
                take(fmt::format("2025-03-{:02}", day), "v1");
            }
        }
        ledger_.database().exec(
            "UPDATE presence SET stack_set_id = NULL "
            "WHERE spec_id IN (SELECT spec_id FROM spec WHERE hash GLOB '[bg]*')");
    }

    TempLedger& ledger() { return ledger_; }
    const std::map<std::string, drift_model::Snapshot>& snapshots() const { return snapshots_; }

  private:
    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

    template <typename Choice>
    Choice any(const std::vector<Choice>& choices) {
        return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
    }

    drift_model::Spec any_spec(const std::string& package, int number) {
        const int shuffled = number * 17 % 97;
        PrintedSpec spec;
        spec.hash = hash_of(fmt::format("{}{}{}", static_cast<char>('a' + shuffled % 26),
                                        static_cast<char>('a' + shuffled / 26), package));
        spec.version = any(Lines{"1.0", "1.1", "2.0"});
        spec.compiler = any(Lines{"gcc@13.2.0", "gcc@12.1.0", "none"});
        spec.target = any(Lines{"x86_64_v3", "x86_64_v3", "aarch64"});
        spec.os = any(Lines{"ubuntu24.04", "ubuntu24.04", "ubuntu20.04"});
        const auto& [variants, text] = any(std::vector<std::pair<Lines, std::string>>{
            {{"+mpi", "~ipo"}, "~ipo +mpi"},
            {{"+mpi", "+ipo"}, "+ipo +mpi"},
            {{"~mpi", "~ipo", "k=a,b"}, "~ipo k=a,b ~mpi"},
            {{"~mpi", "k=b"}, "k=b ~mpi"}});
        spec.variants = variants;
        // What no page says so far: the stacks of a spec are not known.
        return {spec, package, text, spec.hash[0] != 'b' && spec.hash[0] != 'g'};
    }

    /// A state goes on from the one before: a few specs come, go or move; now and then many.
    void take(const std::string& day, const std::string& tag) {
        drift_model::Snapshot& state = states_[tag];
        IngestOptions options{.partial = below(3) == 0};
        std::vector<PrintedPage> pages;
        for (const std::string& package : packages) {
            if (options.partial && below(2) == 0 && !(package == "zlib" && pages.empty())) {
                continue;
            }
            state.observed.insert(package);
            change(state, package, below(3) == 0 ? specs_of_package : 3);
            pages.push_back({package, {}, tag, ""});
            for (const auto& [hash, spec] : state.specs) {
                if (spec.package == package) {
                    pages.back().specs.push_back(spec.printed);
                }
            }
        }
        ledger_.take(day, pages, options);
        snapshots_[fmt::format("{}@{}T00:00:00Z", tag, day)] = state;
    }

    void change(drift_model::Snapshot& state, const std::string& package, int times) {
        if (below(7) == 0) {
            std::erase_if(state.specs,
                          [&](const auto& entry) { return entry.second.package == package; });
            return;
        }
        for (int i = 0; i < times; ++i) {
            drift_model::Spec spec = any(known_[package]);
            if (below(3) == 0) {
                state.specs.erase(spec.printed.hash);
                continue;
            }
            spec.printed.stacks = any(std::vector<Lines>{
                {"e4s", "root"}, {"e4s"}, {"ml"}, {"e4s", "ml", "root"}, {"root"}});
            state.specs[spec.printed.hash] = spec;
        }
    }

    std::mt19937 random_;
    TempLedger ledger_;
    std::map<std::string, std::vector<drift_model::Spec>> known_;  // by package
    std::map<std::string, drift_model::Snapshot> states_;          // the newest, by tag
    std::map<std::string, drift_model::Snapshot> snapshots_;       // by name
};

Lines sorted(Lines lines) {
    std::ranges::sort(lines);
    return lines;
}

/// What is asked of a pair: packages, and a stack or none.
struct Question {
    std::string package;
    std::optional<std::string> stack;

    Value stack_value() const { return stack ? Value(*stack) : Value(); }
};
const std::vector<Question> questions = {
    {"*", {}}, {"*", "ml"}, {"*", "(no stack)"}, {"[mz]*", "[em]*"}, {"hwloc", "no such stack"},
};

}  // namespace

TEST_CASE("The reports of drift say what a comparison of each spec with all others finds") {
    std::set<std::string> causes;
    std::set<std::string> filled;
    std::set<std::string> options;
    std::size_t asked = 0;
    for (unsigned seed = 1; seed <= 3; ++seed) {
        RandomLedger random(seed, 4);
        for (const auto& [from, before] : random.snapshots()) {
            for (const auto& [to, after] : random.snapshots()) {
                const Question& question = questions[asked++ % questions.size()];
                auto expected = drift_model::drift(before, after, question.package, question.stack);
                for (const std::string& report : reports) {
                    INFO("seed " << seed << ": " << report << ", " << from << " -> " << to << ", "
                                 << question.package << ", " << question.stack.value_or("(all)"));
                    REQUIRE(sorted(report_rows(random.ledger(), "drift/" + report,
                                               {{"from", from},
                                                {"to", to},
                                                {"package", question.package},
                                                {"stack", question.stack_value()}})) ==
                            expected[report]);
                    if (!expected[report].empty()) {
                        filled.insert(report);
                    }
                }
                for (const std::string& row : expected["specs"]) {
                    causes.insert(row.substr(0, row.find('|', row.find('|') + 1)));
                }
                for (const std::string& row : expected["variants"]) {
                    for (const char* const word :
                         {" dropped", " added", ": false -> true", "(none) ->", "-> (none)"}) {
                        if (row.find(word) != std::string::npos) {
                            options.insert(word);
                        }
                    }
                }
            }
        }
    }
    // Else the ledgers are too tame.
    CHECK(filled.size() == reports.size());
    CHECK(causes.size() == 14);
    CHECK(options.size() == 5);
}

TEST_CASE("With a filter the reports of drift list only builds that have what is asked") {
    struct Filter {
        FilterWords words;
        drift_model::Choice choice;
    };
    const auto has = [](const drift_model::Spec& spec, const char* variant) {
        return std::ranges::count(spec.printed.variants, variant) > 0;
    };
    const std::vector<Filter> filters = {
        {{.target = "aarch64"},
         [](const drift_model::Spec& spec) { return spec.printed.target == "aarch64"; }},
        {{.compiler = "gcc@13"},
         [](const drift_model::Spec& spec) { return spec.printed.compiler == "gcc@13.2.0"; }},
        {{.os = "ubuntu24.04", .platform = "linux", .variants = {"+mpi", "~ipo"}},
         [&](const drift_model::Spec& spec) {
             return spec.printed.os == "ubuntu24.04" && has(spec, "+mpi") && has(spec, "~ipo");
         }},
        {{.packages = {"zlib@1 k=b", "[hm]*@2: %gcc@:12"}},
         [&](const drift_model::Spec& spec) {
             return spec.package == "zlib"
                        ? spec.printed.version != "2.0" && (has(spec, "k=b") || has(spec, "k=a,b"))
                        : spec.printed.version == "2.0" && spec.printed.compiler == "gcc@12.1.0";
         }},
    };
    std::set<std::string> filled;
    std::size_t asked = 0;
    for (unsigned seed = 31; seed <= 32; ++seed) {
        RandomLedger random(seed, 4);
        SQLite::Database& database = random.ledger().database();
        for (const auto& [from, before] : random.snapshots()) {
            for (const auto& [to, after] : random.snapshots()) {
                const Filter& filter = filters[asked++ % filters.size()];
                const auto stack =
                    asked % 3 == 0 ? std::optional<std::string>("e4s") : std::nullopt;
                const AskedLooks looks(database, LookFilter(filter.words));
                auto expected = drift_model::drift(before, after, "*", stack, filter.choice);
                for (const std::string& report : reports) {
                    INFO("seed " << seed << ": " << report << ", " << from << " -> " << to << ", "
                                 << stack.value_or("(all)"));
                    REQUIRE(sorted(report_rows(random.ledger(), "drift/" + report,
                                               {{"from", from},
                                                {"to", to},
                                                {"stack", stack ? Value(*stack) : Value()}})) ==
                            expected[report]);
                    if (!expected[report].empty()) {
                        filled.insert(report);
                    }
                }
            }
        }
    }
    CHECK(filled.size() == reports.size());
}

TEST_CASE("The views of drift have the rows that the program works out for a pair") {
    for (unsigned seed = 11; seed <= 12; ++seed) {
        RandomLedger random(seed, 3);
        TempLedger& ledger = random.ledger();
        for (const auto& [from, before] : random.snapshots()) {
            for (const auto& [to, after] : random.snapshots()) {
                INFO("seed " << seed << ": " << from << " -> " << to);
                const std::string pair =
                    fmt::format("WHERE from_snapshot = '{}' AND to_snapshot = '{}'", from, to);
                for (const Question& question : questions) {
                    if (question.stack &&
                        question.stack->find_first_of("*[") != std::string::npos) {
                        continue;  // no view could take a pattern
                    }
                    const PairDrift drift(
                        ledger.database(),
                        {{"from", from}, {"to", to}, {"stack", question.stack_value()}});
                    const std::string stack =
                        question.stack ? fmt::format("'{}'", *question.stack) : "NULL";
                    const auto rows = [&](const char* schema) {
                        return sorted(ledger.rows(
                            fmt::format("SELECT * FROM {}.stack_drift {} AND stack IS {}", schema,
                                        pair, stack)));
                    };
                    REQUIRE(rows("temp") == rows("main"));
                    if (!question.stack) {
                        REQUIRE(sorted(ledger.rows("SELECT * FROM spec_drift " + pair)).size() ==
                                rows("temp").size());
                    }
                }
            }
        }
    }
}

TEST_CASE("The causes of neighbours are those that the ledger's view has of them") {
    const Catalog catalog;
    const Report& causes = catalog.find("history/causes");
    std::size_t found = 0;
    for (unsigned seed = 41; seed <= 43; ++seed) {
        RandomLedger random(seed, 5);
        SQLite::Database& database = random.ledger().database();
        for (const FilterWords& words : {FilterWords{}, FilterWords{.compiler = "gcc@13"}}) {
            const AskedLooks looks(database, LookFilter(words));
            for (const char* const package : {"*", "[mz]*"}) {
                INFO("seed " << seed << ": " << package);
                const Arguments arguments = {{"package", package}, {"last", std::int64_t{3}}};
                const auto rows = run_report(database, causes, arguments).rows;
                const std::string text = report_sql(database, causes, arguments);
                CHECK(rows == run_query(database, "of the view", text, {}).rows);
                found += rows.size();
            }
        }
        CHECK(random.ledger().value("SELECT count(*) FROM sqlite_temp_schema") == "0");
    }
    CHECK(found > 20);
}

TEST_CASE("What a pair's drift made is gone with it") {
    RandomLedger random(1, 2);
    TempLedger& ledger = random.ledger();
    const std::string name = random.snapshots().begin()->first;
    const Arguments arguments = {{"from", name}, {"to", name}, {"stack", Value()}};
    {
        const PairDrift drift(ledger.database(), arguments);
        CHECK(ledger.value("SELECT count(*) FROM sqlite_temp_schema") != "0");
    }
    CHECK(ledger.value("SELECT count(*) FROM sqlite_temp_schema") == "0");
    report_rows(ledger, "drift/summary", {{"from", name}, {"to", name}});
    CHECK(ledger.value("SELECT count(*) FROM sqlite_temp_schema") == "0");
}

TEST_CASE("The causes are those that the summary lists") {
    RandomLedger random(1, 1);
    const std::string name = random.snapshots().begin()->first;
    Lines causes;
    for (const auto& line :
         report_rows(random.ledger(), "drift/summary", {{"from", name}, {"to", name}})) {
        causes.push_back(line.substr(0, line.find('|')));
    }
    CHECK(causes == Lines(cause_words.begin(), cause_words.end()));
}

TEST_CASE("What diff says is what the reports of drift say") {
    const Catalog catalog;
    const Lines sections = {"packages", "versions", "targets", "compilers",
                            "variants", "rebuilt",  "copies",  "stacks"};
    std::set<std::string> kinds;
    std::size_t asked = 0;
    for (unsigned seed = 21; seed <= 22; ++seed) {
        RandomLedger random(seed, 3);
        for (const auto& [from, before] : random.snapshots()) {
            for (const auto& [to, after] : random.snapshots()) {
                const auto& [package, stack] = questions[asked++ % questions.size()];
                INFO("seed " << seed << ": " << from << " -> " << to << ", " << package << ", "
                             << stack.value_or("(all)"));
                const Arguments filters = {{"package", package},
                                           {"stack", stack ? Value(*stack) : Value()}};
                const Diff diff =
                    compare_snapshots(random.ledger().database(), catalog, from, to, filters);
                const auto report = [&, &from = from, &to = to](const std::string& name) {
                    Arguments arguments = filters;
                    arguments["from"] = from;
                    arguments["to"] = to;
                    return run_report(random.ledger().database(), catalog.find("drift/" + name),
                                      arguments)
                        .rows;
                };
                REQUIRE(diff.causes.rows == report("summary"));
                REQUIRE(diff.unobserved.rows == report("unobserved"));
                REQUIRE(diff.sections.size() == sections.size());
                for (std::size_t i = 0; i < sections.size(); ++i) {
                    INFO(sections[i]);
                    REQUIRE(diff.sections[i].table.rows == report(sections[i]));
                }
                const auto count = [&, &stack = stack](const drift_model::Snapshot& snapshot) {
                    return std::ranges::count_if(snapshot.specs, [&](const auto& entry) {
                        return !stack || entry.second.is_in(*stack);
                    });
                };
                CHECK(diff.from_specs == count(before));
                CHECK(diff.to_specs == count(after));
                const auto count_asked = [&, &package = package,
                                          &stack = stack](const drift_model::Snapshot& side) {
                    return std::ranges::count_if(side.specs, [&](const auto& entry) {
                        return (!stack || entry.second.is_in(*stack)) &&
                               fnmatch(package.c_str(), entry.second.package.c_str(), 0) == 0;
                    });
                };
                CHECK(diff.asked_from == count_asked(before));
                CHECK(diff.asked_to == count_asked(after));
                std::int64_t growth = 0;
                for (const auto& row : diff.causes.rows) {
                    growth += std::get<std::int64_t>(row[1]) - std::get<std::int64_t>(row[2]);
                }
                CHECK(diff.compared_from + growth == diff.compared_to);
                CHECK(diff.common_specs ==
                      std::ranges::count_if(before.specs, [&, &package = package, &stack = stack,
                                                           &after = after](const auto& entry) {
                          const auto found = after.specs.find(entry.first);
                          return found != after.specs.end() &&
                                 fnmatch(package.c_str(), entry.second.package.c_str(), 0) == 0 &&
                                 (!stack ||
                                  (entry.second.is_in(*stack) && found->second.is_in(*stack)));
                      }));
                for (const KindCount& kind : diff.summary) {
                    if (kind.count > 0) {
                        kinds.insert(kind.kind);
                    }
                }
            }
        }
    }
    CHECK(kinds.size() == 13);  // all that there are
}

}  // namespace drift_property_test
