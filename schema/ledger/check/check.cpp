#include "schema/ledger/check/check.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <iterator>
#include <utility>

#include "schema/ledger/check/check_schema.hpp"
#include "schema/ledger/check/derived_texts.hpp"
#include "schema/ledger/check/nodes.hpp"
#include "schema/ledger/check/states.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

using Lines = std::vector<std::string>;

Lines integrity_problems(SQLite::Database& database, std::size_t most) {
    // SQLite forgets CHECK clauses where the file can't be written: check_clause_problems() has
    // them.
    const int ignores = only_value<int>(database, "PRAGMA ignore_check_constraints");
    database.exec("PRAGMA ignore_check_constraints = ON");
    Lines lines;
    for (const std::string& line :
         all_values<std::string>(database, fmt::format("PRAGMA integrity_check({})", most))) {
        if (line != "ok") {
            lines.push_back("integrity: " + line);
        }
    }
    database.exec(fmt::format("PRAGMA ignore_check_constraints = {}", ignores));
    return lines;
}

Lines foreign_key_problems(SQLite::Database& database, std::size_t most) {
    Lines lines;
    for (const auto& [table, row, parent, constraint] :
         rows<std::string, std::int64_t, std::string, int>(database, "PRAGMA foreign_key_check")) {
        if (lines.size() == most) {
            break;
        }
        lines.push_back(fmt::format(
            "foreign key: a row of {} refers to a row of {} that is not there", table, parent));
    }
    return lines;
}

Lines rule_problems(SQLite::Database& database, const EmbeddedText& rule, std::size_t most) {
    Lines lines;
    for (auto&& [problem] : rows<std::string>(database, rule.text)) {
        if (lines.size() == most) {
            break;
        }
        lines.push_back(std::move(problem));
    }
    return lines;
}

struct Step {
    std::string name;
    std::function<Lines(SQLite::Database&)> find;
    Lines found{};
    double seconds = 0;
};

std::vector<Step> all_steps(std::size_t most) {
    std::vector<Step> steps = {
        {"integrity", [=](auto& database) { return integrity_problems(database, most); }},
        {"conditions of columns", check_clause_problems},
        {"foreign keys", [=](auto& database) { return foreign_key_problems(database, most); }},
    };
    for (const EmbeddedText& rule : check_texts) {
        steps.push_back({std::string(rule.name), [&rule, most](auto& database) {
                             return rule_problems(database, rule, most);
                         }});
    }
    std::ranges::move(
        std::vector<Step>{
            {"variant sets", variant_set_problems},
            {"sort keys", sort_key_problems},
            {"names of snapshots", snapshot_problems},
            {"names of compilers", compiler_problems},
            {"lists of words", word_list_problems},
            {"kinds of findings", finding_problems},
            {"graph", graph_problems},
            {"digests of nodes", node_digest_problems},
            {"digests of states", [=](auto& database) { return state_problems(database, most); }},
        },
        std::back_inserter(steps));
    return steps;
}

// The steps that are not taken yet. Each connection takes the next one.
class StepQueue {
  public:
    explicit StepQueue(std::vector<Step>& steps) : steps_(steps) {}

    void work(SQLite::Database& database, const Progress& progress) {
        for (std::size_t next = 0; (next = taken_++) < steps_.size();) {
            progress(next, steps_.size());
            const auto start = std::chrono::steady_clock::now();
            steps_[next].found = steps_[next].find(database);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            steps_[next].seconds = took.count();
        }
    }
    void stop() { taken_ = steps_.size(); }

  private:
    std::vector<Step>& steps_;
    std::atomic<std::size_t> taken_ = 0;
};

void run_steps_on_both(std::vector<Step>& steps, SQLite::Database& database,
                       SQLite::Database& other, const Progress& progress) {
    StepQueue queue(steps);
    auto others = std::async(std::launch::async, [&] {
        try {
            queue.work(other, no_progress);
        } catch (...) {
            queue.stop();
            throw;
        }
    });
    try {
        queue.work(database, progress);
    } catch (...) {
        queue.stop();
        sqlite3_interrupt(other.getHandle());
        throw;
    }
    others.get();
}

}  // namespace

std::vector<std::string> find_problems(SQLite::Database& database, std::size_t most,
                                       const Progress& progress, SQLite::Database* other,
                                       std::vector<StepTime>* times) {
    std::vector<Step> steps = all_steps(most);
    SchemaProblems schema = compare_schema(database);
    if (schema.in_tables) {
        steps.resize(1);
    }
    if (other != nullptr) {
        run_steps_on_both(steps, database, *other, progress);
    } else {
        StepQueue(steps).work(database, progress);
    }
    if (!schema.in_tables && !views_are_current(database)) {
        schema.lines.emplace_back(
            "views: they are not those of this version; the next ingest makes them anew");
    }
    steps.insert(steps.begin() + 1, {"schema", nullptr, std::move(schema.lines)});
    Lines problems;
    for (Step& step : steps) {
        step.found.resize(std::min(most, step.found.size()));
        std::ranges::move(step.found, std::back_inserter(problems));
        if (times != nullptr) {
            times->push_back({step.name, step.seconds});
        }
    }
    return problems;
}

}  // namespace cacheledger
