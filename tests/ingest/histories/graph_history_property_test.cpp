#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/models/seconds_apart.hpp"
#include "tests/support/repositories/graph_history_ledger.hpp"
#include "tests/support/repositories/history_pieces.hpp"

namespace graph_history_property_test {

using namespace cacheledger;

namespace {

constexpr std::chrono::seconds longest{4};
const Lines none;

/// What a commit makes of the lock file.
enum class What { good, broken, gone, untouched };

struct Commit {
    std::string id;
    std::int64_t time = 0;
    std::int64_t moment = 0;  // of its snapshot
    What what = What::untouched;
    std::vector<std::string> stems;
};

/// A repository with a lock file, changed at random.
class Locks {
  public:
    /// `may_break`: the file may become one that can't be read, or vanish.
    Locks(GraphHistoryLedger& history, std::mt19937& random, bool may_break)
        : history_(history), random_(random), may_break_(may_break) {}

    void commit() {
        Commit commit;
        const std::string before = text_;
        change();
        commit.what = text_ == before ? What::untouched
                      : text_.empty() ? What::gone
                      : is_broken_    ? What::broken
                                      : What::good;
        commit.stems = stems_;
        if (!text_.empty()) {
            history_.repository().write("spack.lock", text_);
        } else if (!before.empty()) {
            history_.repository().remove("spack.lock");
        }
        history_.repository().write("README.md", fmt::format("{}", below(1000)));
        // Now and then in the same second, or before it.
        const int step = below(6);
        time_ += step < 2 ? 0 : step == 2 ? -2 * 3600 : 3600;
        commit.time = time_;
        commit.moment = commit.what == What::untouched ? time_ : apart_.of(time_);
        commit.id = history_.repository().commit(time_);
        commits_.push_back(commit);
    }

    const std::vector<Commit>& commits() const { return commits_; }

  private:
    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

    void change() {
        const int what = below(10);
        if (what < 6 || !may_break_) {
            stems_.clear();
            for (const char* const stem : {"a", "b", "c", "d"}) {
                if (below(2) == 0) {
                    stems_.emplace_back(stem);
                }
            }
            std::shuffle(stems_.begin(), stems_.end(), random_);
            text_ = lock_of(stems_);
            is_broken_ = false;
        } else if (what < 8) {
            text_ = fmt::format("torn {}", below(2));
            is_broken_ = true;
        } else if (what < 9) {
            text_.clear();
        }
    }

    GraphHistoryLedger& history_;
    std::mt19937& random_;
    bool may_break_;
    std::string text_;
    bool is_broken_ = false;
    std::vector<std::string> stems_;
    std::int64_t time_ = 1740787200;  // 2025-03-01
    history_model::SecondsApart apart_;
    std::vector<Commit> commits_;
};

/// The commit that gives the snapshot of each moment. What is broken or gone gives one only after a
/// good file.
std::map<std::int64_t, const Commit*> commits_by_moment(const std::vector<Commit>& commits) {
    std::optional<std::int64_t> begin;
    for (const Commit& commit : commits) {
        if (commit.what == What::good) {
            begin = std::min(begin.value_or(commit.moment), commit.moment);
        }
    }
    std::map<std::int64_t, const Commit*> last;
    for (const Commit& commit : commits) {
        const bool counts = begin && (commit.what == What::good ||
                                      (commit.what == What::broken && commit.moment > *begin) ||
                                      (commit.what == What::gone && commit.moment > *begin));
        if (counts) {
            last[commit.moment] = &commit;
        }
    }
    return last;
}

/// The states that the commits of these moments give.
Lines states_of(const std::map<std::int64_t, const Commit*>& commits) {
    Lines states;
    std::string state;
    for (const auto& [moment, commit] : commits) {
        if (commit->what != What::broken) {
            state.clear();
        }
        if (commit->what == What::good) {
            auto sorted = commit->stems;
            std::sort(sorted.begin(), sorted.end());
            state = fmt::format("{}", fmt::join(sorted, ""));
            if (!sorted.empty()) {
                state += ", root " + commit->stems.front();
            }
        }
        states.push_back(fmt::format("{} lock {}: {}", format_moment(moment),
                                     commit->what == What::broken ? "partial" : "whole", state));
    }
    return states;
}

Lines findings_of(const std::vector<Commit>& commits) {
    Lines findings;
    for (const auto& [moment, commit] : commits_by_moment(commits)) {
        if (commit->moment != commit->time) {
            findings.push_back(fmt::format(
                "derecho@{}|NULL|time-shared|commit {}: an earlier snapshot has this second; "
                "the snapshot is {} second{} later",
                format_moment(moment), commit->id.substr(0, 10), moment - commit->time,
                moment - commit->time == 1 ? "" : "s"));
        }
        if (commit->what == What::broken) {
            findings.push_back(fmt::format(
                "derecho@{}|spack.lock|file-unreadable|spack.lock: expected a build-cache index, "
                "an install database or a lock file; found no JSON",
                format_moment(moment)));
        }
    }
    std::sort(findings.begin(), findings.end());
    return findings;
}

std::string told(const std::vector<Commit>& commits) {
    std::string text;
    for (const Commit& commit : commits) {
        text += fmt::format("{} {} {}\n", format_moment(commit.time), static_cast<int>(commit.what),
                            fmt::join(commit.stems, ""));
    }
    return text;
}

/// Makes repositories and ledgers for them, until the time is up. CACHELEDGER_TEST_SEED=N begins
/// with a seed that this has printed.
template <typename Check>
void for_each_repository(bool may_break, const Check& check) {
    const char* const given = std::getenv("CACHELEDGER_TEST_SEED");
    const unsigned first =
        given == nullptr ? std::random_device()() : static_cast<unsigned>(std::stoul(given));
    const auto begin = std::chrono::steady_clock::now();
    unsigned seed = first;
    for (; std::chrono::steady_clock::now() - begin < longest; ++seed) {
        std::mt19937 random(seed);
        GraphHistoryLedger history;
        Locks locks(history, random, may_break);
        for (int i = 0; i < 14; ++i) {
            locks.commit();
        }
        INFO("seed " << seed << ":\n" << told(locks.commits()));
        check(history, locks.commits(), random);
    }
    std::cout << fmt::format("{} repositories, from seed {} on\n", seed - first, first);
}

}  // namespace

TEST_CASE("A history of a lock file gives what looking at its commits gives, in any pieces") {
    for_each_repository(true, [](GraphHistoryLedger& history, const std::vector<Commit>& commits,
                                 std::mt19937& random) {
        load_what_is_there(history, "HEAD");
        REQUIRE(history.states() == states_of(commits_by_moment(commits)));
        REQUIRE(history.findings() == findings_of(commits));
        REQUIRE(history.faults() == none);
        const auto expected = history.ledger().views();

        for (const auto& name : names_in(history)) {
            history.forget(name);
        }
        load_in_pieces(history, commits, random, [&] { forget_one(history, random); });
        REQUIRE(history.states() == states_of(commits_by_moment(commits)));
        const auto views = history.ledger().views();
        for (const auto& [view, rows] : expected) {
            INFO(view);
            REQUIRE(views.at(view) == rows);
        }
    });
}

TEST_CASE("Where rules removed snapshots of a lock file, the others are as they should be") {
    for_each_repository(true, [](GraphHistoryLedger& history, const std::vector<Commit>& commits,
                                 std::mt19937& random) {
        const auto moments = [&] {
            return history.ledger().rows("SELECT taken_at FROM snapshots ORDER BY 1");
        };
        std::set<std::string> removed;
        load_in_pieces(history, commits, random, [&] {
            if (below(random, 4) == 0) {
                forget_one(history, random);
                return;
            }
            const Lines before = moments();
            history.ledger().forget_all_but(1 + static_cast<std::int64_t>(below(random, 3)));
            const Lines after = moments();
            std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                                std::inserter(removed, removed.end()));
        });
        auto expected = commits_by_moment(commits);
        const Lines present = moments();
        std::erase_if(expected, [&](const auto& one) {
            const std::string moment = format_moment(one.first);
            return removed.contains(moment) && !std::ranges::binary_search(present, moment);
        });
        REQUIRE(history.states() == states_of(expected));
        if (!expected.empty()) {
            history.ledger().forget_all_but(1);
            const Lines kept = moments();
            load_what_is_there(history, "HEAD");
            REQUIRE(moments() == kept);
            REQUIRE(history.faults() == none);
        }
    });
}

}  // namespace graph_history_property_test
