#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/pages/reader/page_reader.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "ingest/runs/commits/history.hpp"
#include "ingest/sources/git/tree_walk.hpp"
#include "schema/text/digest.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/repositories/git_fixture.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace long_history_test {

using namespace cacheledger;
using git_fixture::Repository;

namespace {

/// Counts what SQLite does for a connection: the steps of its virtual machine, which are a few for
/// each row that is read or written.
class StepCounter {
  public:
    explicit StepCounter(SQLite::Database& database) : handle_(database.getHandle()) {
        sqlite3_trace_v2(handle_, SQLITE_TRACE_PROFILE, &StepCounter::add, this);
    }
    ~StepCounter() { sqlite3_trace_v2(handle_, 0, nullptr, nullptr); }
    StepCounter(const StepCounter&) = delete;
    StepCounter& operator=(const StepCounter&) = delete;

    std::int64_t steps() const { return steps_; }

  private:
    static int add(unsigned /*event*/, void* self, void* statement, void* /*nanoseconds*/) {
        static_cast<StepCounter*>(self)->steps_ += sqlite3_stmt_status(
            static_cast<sqlite3_stmt*>(statement), SQLITE_STMTSTATUS_VM_STEP, 1);
        return 0;
    }

    sqlite3* handle_;
    std::int64_t steps_ = 0;
};

/// A page that alternates between two texts without a common spec, a commit each, beside one that
/// stays broken.
class Alternation {
  public:
    static constexpr std::size_t commits = 160;

    Alternation() {
        history_.repository().write(place_of("mpich"), broken_page("mpich"));
        for (std::size_t i = 0; i < commits; ++i) {
            std::vector<std::string> stems;
            for (const char letter : std::string("abcdefghijklmnopqrstuvwxyz")) {
                for (const char digit : std::string("23456")) {
                    stems.push_back(fmt::format("{}{}{}", i % 2 == 0 ? 'b' : 'c', letter, digit));
                }
            }
            history_.write("zlib", stems);
            history_.repository().commit(first + static_cast<std::int64_t>(i) * 3600);
        }
    }

    /// The steps that each commit takes. After `rest_after` commits comes a rest that is longer
    /// than commits wait to be written together.
    std::vector<std::int64_t> load(const std::string& revision,
                                   std::optional<std::size_t> rest_after = std::nullopt) {
        const StepCounter counter(history_.ledger().database());
        std::vector<std::int64_t> steps;
        std::int64_t before = 0;
        ingest_history(history_.ledger().database(), {history_.repository().path(), revision},
                       [&](std::size_t done, std::size_t) {
                           steps.push_back(counter.steps() - before);
                           before = counter.steps();
                           if (done == rest_after) {
                               std::this_thread::sleep_for(std::chrono::milliseconds(2100));
                           }
                       });
        return steps;
    }

    /// Loads the first commit. The ledger has its log from then on; when it gets it, what is
    /// remembered is read again, once.
    void load_first() { load(fmt::format("HEAD~{}", commits - 1)); }

    HistoryLedger& history() { return history_; }

  private:
    static constexpr std::int64_t first = 1740787200;  // 2025-03-01
    HistoryLedger history_;
};

std::int64_t sum(const std::vector<std::int64_t>& steps, std::size_t from, std::size_t to) {
    std::int64_t all = 0;
    for (std::size_t i = from; i < to; ++i) {
        all += steps.at(i);
    }
    return all;
}

/// By more than so many percent.
bool have_grown(const std::vector<std::int64_t>& steps, std::int64_t percent) {
    const std::int64_t early = sum(steps, 20, 50);
    const std::int64_t late = sum(steps, 120, 150);
    UNSCOPED_INFO("early " << early << ", late " << late);
    return 100 * late > (100 + percent) * early;
}

using Files = std::map<std::string, std::string>;           // texts by path
using Changes = std::vector<std::pair<std::string, bool>>;  // path; whether it is there after

constexpr std::int64_t moment = 1740787200;

Changes changes_of(const GitRepository& repository, const std::optional<Digest>& before,
                   const Digest& after, const std::string& path = "") {
    Changes changes;
    for (const GitChange& change : tree_changes(repository, before, after, path)) {
        changes.emplace_back(change.path, change.after.has_value());
    }
    return changes;
}

Changes expected(const Files& before, const Files& after) {
    Changes changes;
    for (const auto& [path, text] : before) {
        if (!after.contains(path)) {
            changes.emplace_back(path, false);
        }
    }
    for (const auto& [path, text] : after) {
        const auto old = before.find(path);
        if (old == before.end() || old->second != text) {
            changes.emplace_back(path, true);
        }
    }
    std::sort(changes.begin(), changes.end());
    return changes;
}

}  // namespace

TEST_CASE("A commit takes as many steps as its state, however many commits are before it") {
    Alternation alternation;
    alternation.load_first();
    const auto steps = alternation.load("HEAD");
    REQUIRE(steps.size() == Alternation::commits);
    CHECK_FALSE(have_grown(steps, 1));
    CHECK(alternation.history().faults() == std::vector<std::string>{});
}

TEST_CASE("So does a commit of a history that takes longer, and is written in parts") {
    Alternation alternation;
    alternation.load_first();
    CHECK_FALSE(have_grown(alternation.load("HEAD", 130), 1));
}

TEST_CASE("So does a commit that is loaded behind a later snapshot") {
    Alternation alternation;
    alternation.load("HEAD~1..HEAD");
    const auto steps = alternation.load("HEAD");
    REQUIRE(steps.size() == Alternation::commits);
    CHECK_FALSE(have_grown(steps, 10));  // it goes through all pages of the series
    CHECK(alternation.history().faults() == std::vector<std::string>{});
}

TEST_CASE("What the specs of a page refer to is let go with the page") {
    TempLedger ledger;
    Dictionary dictionary(ledger.database());
    const std::int64_t package_id = dictionary.words.package("zlib");
    std::weak_ptr<const void> last;
    for (const char* const stem : {"b", "c"}) {
        CHECK(last.expired());
        PageReader reader;
        const auto read = reader.read({"zlib.md", page_text("zlib", {stem})});
        const Page& page = std::get<Page>(read);
        dictionary.words.begin_page(page.values);
        Conflicts conflicts(ledger.database());
        dictionary.spec(package_id, page.specs.at(0), conflicts);
        last = page.values;
    }
    CHECK(last.expired());
}

TEST_CASE("Trees differ in the files in which they differ") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const TempFolder folder;
    Repository repository(folder.path() / "r");
    // Names that git sorts otherwise where they are folders: "a.b" is before "a/".
    const std::vector<std::string> names = {"a", "a.b", "a0", "ab", "b"};
    std::vector<Files> states = {{}};
    for (int i = 0; i < 40; ++i) {
        Files files;
        repository.clear();
        for (int file = 0; file < 8; ++file) {
            std::string path = names[random() % names.size()];
            while (random() % 2 == 0) {
                path += "/" + names[random() % names.size()];
            }
            const bool clashes = std::any_of(files.begin(), files.end(), [&](const auto& other) {
                return other.first == path || other.first.starts_with(path + "/") ||
                       path.starts_with(other.first + "/");
            });
            if (!clashes) {
                files[path] = std::to_string(random() % 3);
                repository.write(path, files[path]);
            }
        }
        repository.commit(moment + i);
        states.push_back(files);
    }
    const GitRepository git(repository.path());
    const auto history = git.first_parent_history("HEAD");
    REQUIRE(history.size() == 40);
    std::optional<Digest> before;
    for (std::size_t i = 0; i < history.size(); ++i) {
        INFO("commit " << i);
        CHECK(changes_of(git, before, history[i].tree) == expected(states[i], states[i + 1]));
        Files old;
        Files now;
        const auto below = [](const Files& files, const std::string& name) {
            Files chosen;
            for (const auto& [path, text] : files) {
                if (path == name || path.starts_with(name + "/")) {
                    chosen[path] = text;
                }
            }
            return chosen;
        };
        for (const std::string& name : names) {
            CHECK(changes_of(git, before, history[i].tree, name) ==
                  expected(below(states[i], name), below(states[i + 1], name)));
        }
        before = history[i].tree;
    }
}

TEST_CASE("A subtree that both trees have is not walked, however many files it stands for") {
    const TempFolder folder;
    Repository repository(folder.path() / "r");
    repository.write("q.md", "y");
    repository.commit(moment);
    const std::string blob = repository.write_object("blob", "x");
    std::string large =
        repository.write_object("tree", Repository::tree_entry("100644", "a", blob));
    for (int i = 0; i < 60; ++i) {
        large = repository.write_object("tree", Repository::tree_entry("40000", "a", large) +
                                                    Repository::tree_entry("40000", "b", large));
    }
    const std::string both = Repository::tree_entry("40000", "large", large);
    repository.commit_tree(repository.write_object("tree", both), moment);
    repository.commit_tree(
        repository.write_object("tree", both + Repository::tree_entry("100644", "p.md", blob)),
        moment + 1);
    const GitRepository git(repository.path());
    const auto tree_of = [&](const std::string& revision) {
        return git.first_parent_history(revision).back().tree;
    };
    CHECK(changes_of(git, tree_of("HEAD~1"), tree_of("HEAD")) == Changes{{"p.md", true}});
}

}  // namespace long_history_test
