#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/tag.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/models/seconds_apart.hpp"
#include "tests/support/repositories/history_ledger.hpp"
#include "tests/support/repositories/history_pieces.hpp"

namespace git_history_property_test {

using namespace cacheledger;
using Views = std::map<std::string, std::vector<std::string>>;

namespace {

constexpr std::chrono::seconds longest{4};
const std::vector<std::string> none;

/// What a page says, or its place.
std::string tag_of(const std::string& path, const std::string& text) {
    static const std::string before = "[package, ";
    if (const std::size_t at = text.find(before); at != std::string::npos) {
        const std::size_t begin = at + before.size();
        return text.substr(begin, text.find(']', begin) - begin);
    }
    if (!path.starts_with("_cache/")) {
        return "";
    }
    return path.substr(7, path.find('/', 7) - 7);
}

/// A repository of pages with random commits, and the files of each.
class Pages {
  public:
    /// `anchored`: each tag has a page that is never broken or removed.
    Pages(HistoryLedger& history, std::mt19937& random, bool anchored)
        : history_(history), random_(random), anchored_(anchored) {}

    struct Commit {
        std::string id;
        std::int64_t time = 0;
        std::map<std::string, std::string> files;
        std::set<std::string> touched;
        std::map<std::string, std::int64_t> moments;  // of its snapshots, by tag
    };

    void commit() {
        const auto before = files_;
        for (int i = 0, changes = 1 + below(4); i < changes; ++i) {
            change();
        }
        std::set<std::string> touched;
        for (const auto& [path, text] : before) {
            const auto now = files_.find(path);
            if (now == files_.end() || now->second != text) {
                touched.insert(tag_of(path, text));
            }
            if (now == files_.end()) {
                history_.repository().remove(path);
            }
        }
        for (const auto& [path, text] : files_) {
            const auto old = before.find(path);
            if (old == before.end() || old->second != text) {
                touched.insert(tag_of(path, text));
            }
            history_.repository().write(path, text);
        }
        touched.erase("");
        // Now and then in the same second, or before it.
        const int step = below(12);
        time_ += step == 0 ? 0 : step == 1 ? -3 * 3600 : 3600;
        std::map<std::string, std::int64_t> moments;
        for (const std::string& tag : touched) {
            const auto dated = moment_of_tag(tag);
            moments[tag] = dated ? *dated : apart_[tag].of(time_);
        }
        commits_.push_back({history_.repository().commit(time_), time_, files_, touched, moments});
    }

    const std::vector<Commit>& commits() const { return commits_; }

  private:
    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

    template <typename List>
    auto any(const List& list) {
        return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    }

    void change() {
        const std::string tag = any(tags_);
        const std::string package = any(packages_);
        const std::string path = place_of(package, tag);
        if (anchored_) {
            files_[place_of("anchor", tag)] = page_text("anchor", {"z"}, tag);
        }
        const int what = below(20);
        if (what < 11) {
            files_[path] = page(package, tag);
        } else if (what < 14) {
            files_.erase(path);
        } else if (what < 15) {  // the whole tag
            for (const std::string& each : packages_) {
                files_.erase(place_of(each, tag));
            }
        } else if (what < 17) {
            files_[path] = below(2) == 0 ? broken_page(package, tag) : torn_page;
        } else if (what < 18) {  // a page that may have been there before
            files_[path] = page_text(package, {package + "e"}, tag);
        } else if (what < 19) {
            files_["README.md"] = fmt::format("{}", below(1000));
        } else {
            files_["pages/more.md"] = page_text(package, {package + "f"}, tag);
        }
    }

    std::string page(const std::string& package, const std::string& tag) {
        static const std::vector<std::vector<std::string>> stacks = {
            {"e4s", "root"}, {"e4s"}, {"e4s", "ml", "root"}, {"ml"}, {"root"}};
        PrintedPage page{package, {}, tag, ""};
        for (const char* const suffix : {"a", "b", "c", "d"}) {
            if (below(2) == 0) {
                PrintedSpec spec{.hash = hash_of(package + suffix)};
                spec.stacks = any(stacks);
                page.specs.push_back(spec);
            }
        }
        return page.text();
    }

    HistoryLedger& history_;
    std::mt19937& random_;
    bool anchored_;
    const std::vector<std::string> packages_ = {"hwloc", "mpich", "zlib"};
    const std::vector<std::string> tags_ = {"develop", "develop", "v1", "develop-2025-03-02",
                                            "develop-2025-03-09"};
    std::map<std::string, std::string> files_;
    std::int64_t time_ = 1740787200;                            // 2025-03-01
    std::map<std::string, history_model::SecondsApart> apart_;  // by tag
    std::vector<Commit> commits_;
};

/// The views, and what the reports make of them over time.
Views content_of(TempLedger& ledger) {
    Views views = ledger.views();
    views["snapshots"] = ledger.rows(
        "SELECT name, tag, series, taken_at, packages, specs, extent FROM snapshots ORDER BY 1");
    for (const char* const report :
         {"history/growth", "history/packages", "history/lifetime", "history/rebuilds"}) {
        views[report] = report_rows(ledger, report);
        std::sort(views[report].begin(), views[report].end());
    }
    return views;
}

/// Without what only a history says: that commits share a second.
Views without_shared_seconds(Views views) {
    std::erase_if(views.at("findings"), [](const std::string& row) {
        return row.find("|time-shared|") != std::string::npos;
    });
    return views;
}

/// The rows that only one of the two has.
std::vector<std::string> differences(const Views& actual, const Views& expected) {
    std::vector<std::string> lines;
    for (const auto& [view, rows] : expected) {
        const auto& others = actual.at(view);
        std::vector<std::string> only;
        std::set_difference(rows.begin(), rows.end(), others.begin(), others.end(),
                            std::back_inserter(only));
        for (const std::string& row : only) {
            lines.push_back(fmt::format("{} lacks {}", view, row));
        }
        only.clear();
        std::set_difference(others.begin(), others.end(), rows.begin(), rows.end(),
                            std::back_inserter(only));
        for (const std::string& row : only) {
            lines.push_back(fmt::format("{} has {}", view, row));
        }
    }
    return lines;
}

/// The commit that gives each snapshot: of a dated tag the last one.
std::map<std::string, std::pair<const Pages::Commit*, std::string>> commits_by_snapshot(
    const std::vector<Pages::Commit>& commits) {
    std::map<std::string, std::pair<const Pages::Commit*, std::string>> last;
    for (const Pages::Commit& commit : commits) {
        for (const std::string& tag : commit.touched) {
            last[snapshot_name(tag, commit.moments.at(tag))] = {&commit, tag};
        }
    }
    return last;
}

/// `ingest --keep-going --taken-at` of the pages that a tag has in a commit.
void load_folder(TempLedger& ledger, const Pages::Commit& commit, const std::string& tag) {
    const auto folder = ledger.folder().path() / "folder";
    std::filesystem::remove_all(folder);
    for (const auto& [path, text] : commit.files) {
        if (tag_of(path, text) == tag) {
            ledger.folder().write("folder/" + path, text);
        }
    }
    ledger.ingest(format_moment(commit.moments.at(tag)), {folder.string()}, {.keep_going = true});
}

/// Of all snapshots, or only of those with these names.
Views content_of_folders(const std::vector<Pages::Commit>& commits, std::mt19937& random,
                         const std::optional<std::vector<std::string>>& only = std::nullopt) {
    std::vector<std::pair<const Pages::Commit*, std::string>> loads;
    for (const auto& [name, load] : commits_by_snapshot(commits)) {
        if (!only || std::ranges::find(*only, name) != only->end()) {
            loads.push_back(load);
        }
    }
    std::shuffle(loads.begin(), loads.end(), random);
    TempLedger ledger;
    for (const auto& [commit, tag] : loads) {
        load_folder(ledger, *commit, tag);
    }
    CHECK(find_problems(ledger.database(), 10) == none);
    // A finding names the file as it can be opened.
    ledger.database().exec(
        fmt::format("UPDATE finding SET detail = replace(detail, '{}/folder/', '')",
                    ledger.folder().path().string()));
    return content_of(ledger);
}

/// Makes repositories and ledgers for them, until the time is up. CACHELEDGER_TEST_SEED=N begins
/// with a seed that this has printed.
template <typename Check>
void for_each_repository(const Check& check) {
    const char* const given = std::getenv("CACHELEDGER_TEST_SEED");
    const unsigned first =
        given == nullptr ? std::random_device()() : static_cast<unsigned>(std::stoul(given));
    const auto begin = std::chrono::steady_clock::now();
    unsigned seed = first;
    for (; std::chrono::steady_clock::now() - begin < longest; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        HistoryLedger history;
        // What has no good page at all is no folder of pages.
        const bool anchored = seed % 2 == 0;
        Pages pages(history, random, anchored);
        for (int i = 0; i < 14; ++i) {
            pages.commit();
        }
        check(history, pages.commits(), random, anchored);
    }
    std::cout << fmt::format("{} repositories, from seed {} on\n", seed - first, first);
}

}  // namespace

TEST_CASE("A history gives the same at once and in pieces, and what its folders give") {
    for_each_repository([](HistoryLedger& history, const std::vector<Pages::Commit>& commits,
                           std::mt19937& random, bool anchored) {
        const auto forget = [&] { forget_one(history, random); };
        load_what_is_there(history, "HEAD");
        CHECK(history.faults() == none);
        const Views expected = content_of(history.ledger());

        if (anchored) {
            CHECK(differences(content_of_folders(commits, random),
                              without_shared_seconds(expected)) == none);
        }
        load_in_pieces(history, commits, random, forget);
        CHECK(differences(content_of(history.ledger()), expected) == none);
        for (const std::string& name : names_in(history)) {
            history.forget(name);
        }
        load_in_pieces(history, commits, random, forget);
        REQUIRE(differences(content_of(history.ledger()), expected) == none);
    });
}

TEST_CASE("Where rules removed snapshots of a history, the others are what their folders give") {
    for_each_repository([](HistoryLedger& history, const std::vector<Pages::Commit>& commits,
                           std::mt19937& random, bool anchored) {
        if (!anchored) {
            return;
        }
        load_in_pieces(history, commits, random, [&] {
            if (below(random, 4) == 0) {
                forget_one(history, random);
            } else {
                history.ledger().forget_all_but(1 + static_cast<std::int64_t>(below(random, 3)));
            }
        });
        REQUIRE(differences(content_of_folders(commits, random, names_in(history)),
                            without_shared_seconds(content_of(history.ledger()))) == none);
        history.ledger().forget_all_but(1);
        const auto kept = names_in(history);
        load_what_is_there(history, "HEAD");
        REQUIRE(names_in(history) == kept);
    });
}

}  // namespace git_history_property_test
