#include "schema/ledger/check/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/digest.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

constexpr Moment forever = std::numeric_limits<Moment>::max();

using Key = std::pair<std::int64_t, std::int64_t>;  // series, package

// A row of presence.
struct Stay {
    std::string hash;
    std::int64_t spec_id = 0;
    std::int64_t stack_set_id = 0;  // 0: NULL
    Moment from = 0;
    Moment to = 0;
};

// A row of page_presence, with its page.
struct PageStay {
    std::string package, series;
    Moment from = 0;
    Moment to = 0;
    std::int64_t page_id = 0;
    Digest digest{};
    std::size_t num_specs = 0;
    bool is_of_text = false;  // of a page that was read, and not of a state
};

// Tells sets of numbers apart, and follows when one of them comes or goes.
struct Mark {
    std::uint64_t sum = 0;

    static std::uint64_t mixed(std::uint64_t value) {
        value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
        value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
        return value ^ (value >> 31U);
    }
    static std::uint64_t of(const Stay& stay) {
        const auto spec = static_cast<std::uint64_t>(stay.spec_id);
        return mixed(mixed(spec) + static_cast<std::uint64_t>(stay.stack_set_id));
    }
};

// The names in each stack set, by its id.
using StackSets = std::unordered_map<std::int64_t, std::vector<std::string>>;

StackSets read_stack_sets(SQLite::Database& database) {
    StackSets sets;
    for (const auto& [id, text] : rows<std::int64_t, std::string_view>(
             database, "SELECT stack_set_id, stacks FROM stack_set")) {
        std::vector<std::string>& names = sets[id];
        if (!text.empty()) {
            const auto words = split_at(',', text);
            names.assign(words.begin(), words.end());
        }
    }
    return sets;
}

// Reads the rows of presence and page_presence, package by package.
class PackageRows {
  public:
    explicit PackageRows(SQLite::Database& database)
        : stays_(database,
                 "SELECT p.series_id, p.package_id, x.hash, p.spec_id, p.stack_set_id, "
                 "p.valid_from, p.valid_to FROM presence p CROSS JOIN spec x USING (spec_id) "
                 "ORDER BY p.series_id, p.package_id"),
          pages_(database,
                 "SELECT p.series_id, p.package_id, k.name, r.name, p.valid_from, p.valid_to, "
                 "p.page_id, g.digest, g.num_specs, s.kind = 'pages' "
                 "FROM page_presence p CROSS JOIN page g USING (page_id) "
                 "CROSS JOIN package k ON k.package_id = p.package_id "
                 "CROSS JOIN series r ON r.series_id = p.series_id "
                 "CROSS JOIN snapshot s ON s.series_id = p.series_id AND s.taken_at = p.valid_from "
                 "ORDER BY p.series_id, p.package_id, p.valid_from"),
          next_stay_(stays_.begin()),
          next_page_(pages_.begin()) {
        read_stay();
        read_page();
    }

    // The next package that has a page.
    bool next(std::vector<Stay>& stays, std::vector<PageStay>& pages) {
        stays.clear();
        pages.clear();
        if (!page_) {
            return false;
        }
        const Key key = page_->first;
        for (; page_ && page_->first == key; read_page()) {
            pages.push_back(std::move(page_->second));
        }
        for (; stay_ && stay_->first <= key; read_stay()) {
            if (stay_->first == key) {
                stays.push_back(std::move(stay_->second));
            }
        }
        return true;
    }

  private:
    using StayRows = Rows<std::int64_t, std::int64_t, std::string, std::int64_t, std::int64_t,
                          Moment, std::optional<Moment>>;
    using PageRows = Rows<std::int64_t, std::int64_t, std::string, std::string, Moment,
                          std::optional<Moment>, std::int64_t, Digest, std::size_t, bool>;

    void read_stay() {
        stay_.reset();
        if (next_stay_ != stays_.end()) {
            auto [series, package, hash, spec, stacks, from, to] = *next_stay_;
            stay_ = {{series, package},
                     {std::move(hash), spec, stacks, from, to.value_or(forever)}};
            ++next_stay_;
        }
    }

    void read_page() {
        page_.reset();
        if (next_page_ != pages_.end()) {
            auto [series_id, package_id, package, series, from, to, page, digest, specs, is_text] =
                *next_page_;
            page_ = {{series_id, package_id},
                     {std::move(package), std::move(series), from, to.value_or(forever), page,
                      digest, specs, is_text}};
            ++next_page_;
        }
    }

    StayRows stays_;
    PageRows pages_;
    StayRows::Iterator next_stay_;
    PageRows::Iterator next_page_;
    std::optional<std::pair<Key, Stay>> stay_;
    std::optional<std::pair<Key, PageStay>> page_;
};

class StateCheck {
  public:
    StateCheck(SQLite::Database& database, std::size_t most)
        : stack_sets_(read_stack_sets(database)), most_(most) {}

    bool is_full() const { return lines_.size() >= most_; }
    std::vector<std::string> lines() { return std::move(lines_); }

    // The rows of one package in one series.
    void check(std::vector<Stay>& stays, const std::vector<PageStay>& pages) {
        std::sort(stays.begin(), stays.end(),
                  [](const Stay& a, const Stay& b) { return a.hash < b.hash; });
        // What comes or goes at a moment, by its place in `stays`.
        struct Change {
            std::vector<std::size_t> comes, goes;
        };
        std::map<Moment, Change> changes;
        for (std::size_t i = 0; i < stays.size(); ++i) {
            changes[stays[i].from].comes.push_back(i);
            changes[stays[i].to].goes.push_back(i);
        }
        for (const PageStay& page : pages) {
            changes.try_emplace(page.from);
        }
        std::set<std::size_t> present;
        Mark mark;
        auto page = pages.begin();
        for (const auto& [moment, change] : changes) {
            for (const std::size_t stay : change.goes) {
                present.erase(stay);
                mark.sum -= Mark::of(stays[stay]);
            }
            for (const std::size_t stay : change.comes) {
                present.insert(stay);
                mark.sum += Mark::of(stays[stay]);
            }
            while (page != pages.end() && page->to <= moment) {
                ++page;
            }
            // schema/ledger/check/rules/counts.sql tells where their number is not that of the
            // page.
            if (page != pages.end() && page->from <= moment && page->num_specs == present.size()) {
                compare(*page, moment, stays, present, mark);
            }
        }
    }

  private:
    struct Seen {
        std::uint64_t sum = 0;
        std::string where;
    };

    void compare(const PageStay& page, Moment moment, const std::vector<Stay>& stays,
                 const std::set<std::size_t>& present, const Mark& mark) {
        const auto seen = seen_.find(page.page_id);
        if (seen != seen_.end() && seen->second.sum == mark.sum) {
            return;
        }
        const std::string where = fmt::format("{} has from {} on", page.series, text_of(moment));
        if (page.is_of_text && seen != seen_.end()) {
            add(page, fmt::format("is of other hashes or stacks than {}, it was of those that {}",
                                  where, seen->second.where));
        } else if (page.is_of_text && has_both(stays, present)) {
            add(page, fmt::format("gives the stacks of all specs or of none, {} both", where));
        } else if (!page.is_of_text) {
            if (const Digest digest = digest_of(page, stays, present); digest != page.digest) {
                add(page, fmt::format("is of other hashes or stacks than {}, expected {}", where,
                                      to_hex(digest)));
            } else if (unknown_stacks(stays, present) != 0) {
                add(page, fmt::format("gives the stacks of all specs, not those that {}", where));
            }
        }
        seen_.try_emplace(page.page_id, Seen{mark.sum, where});
    }

    void add(const PageStay& page, const std::string& problem) {
        if (!is_full()) {
            lines_.push_back(
                fmt::format("page: {} of {} {}", to_hex(page.digest), page.package, problem));
        }
    }

    static std::string text_of(Moment moment) {
        return moment < first_moment || moment > last_moment ? fmt::format("{}", moment)
                                                             : format_moment(moment);
    }

    static std::size_t unknown_stacks(const std::vector<Stay>& stays,
                                      const std::set<std::size_t>& present) {
        return static_cast<std::size_t>(
            std::count_if(present.begin(), present.end(),
                          [&](std::size_t stay) { return stays[stay].stack_set_id == 0; }));
    }

    static bool has_both(const std::vector<Stay>& stays, const std::set<std::size_t>& present) {
        const std::size_t unknown = unknown_stacks(stays, present);
        return unknown != 0 && unknown != present.size();
    }

    Digest digest_of(const PageStay& page, const std::vector<Stay>& stays,
                     const std::set<std::size_t>& present) {
        StateDigest digest(page.package);
        for (const std::size_t stay : present) {
            digest.add(stays[stay].hash, stack_sets_[stays[stay].stack_set_id]);
        }
        return digest.digest();
    }

    StackSets stack_sets_;
    std::size_t most_;
    std::unordered_map<std::int64_t, Seen> seen_;  // what was right of each page, by its id
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> state_problems(SQLite::Database& database, std::size_t most) {
    StateCheck check(database, most);
    PackageRows rows(database);
    std::vector<Stay> stays;
    std::vector<PageStay> pages;
    while (!check.is_full() && rows.next(stays, pages)) {
        check.check(stays, pages);
    }
    return check.lines();
}

}  // namespace cacheledger
