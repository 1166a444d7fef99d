#include "ingest/rows/intervals/thin_out.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ingest/rows/intervals/current_states.hpp"
#include "ingest/rows/intervals/timeline.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// A row of presence, without what names the spec.
struct Stay {
    std::int64_t stack_set = 0;  // 0: NULL
    bool came = true;
    bool went = false;

    bool operator==(const Stay&) const = default;
};
using Stays = Timeline<Stay>;
using SpecOfLook = std::pair<std::int64_t, std::int64_t>;  // look, spec

// The snapshots that stay, and which of them observe a package.
class Observations {
  public:
    Observations(SQLite::Database& database, std::int64_t series_id, const std::set<Moment>& gone) {
        SQLite::Statement snapshots(
            database, "SELECT taken_at, observes_all FROM snapshot WHERE series_id = ?");
        rebind(snapshots, series_id);
        while (snapshots.executeStep()) {
            const Moment moment = snapshots.getColumn(0).getInt64();
            if (!gone.contains(moment)) {
                kept_.emplace(moment, snapshots.getColumn(1).getInt() != 0);
            }
        }
        SQLite::Statement exceptions(database,
                                     "SELECT package_id, taken_at FROM observation_exception "
                                     "JOIN snapshot USING (snapshot_id) WHERE series_id = ?");
        rebind(exceptions, series_id);
        while (exceptions.executeStep()) {
            exceptions_[exceptions.getColumn(0).getInt64()].insert(
                exceptions.getColumn(1).getInt64());
        }
    }

    /// Call this for each package, before the functions below.
    void choose(std::int64_t package_id) {
        observed_.clear();
        unobserved_.clear();
        const auto found = exceptions_.find(package_id);
        for (const auto& [moment, observes_all] : kept_) {
            const bool is_exception = found != exceptions_.end() && found->second.contains(moment);
            (observes_all != is_exception ? observed_ : unobserved_).push_back(moment);
        }
    }

    /// The first observation that stays at the moment or after it.
    Moment next(Moment moment) const {
        const auto found = std::ranges::lower_bound(observed_, moment);
        return moment == forever || found == observed_.end() ? forever : *found;
    }

    /// The snapshots that stay and do not observe the package.
    const std::vector<Moment>& unobserved() const { return unobserved_; }

    /// What of a timeline stays: what holds at an observation holds until the next one.
    template <typename Value>
    Timeline<Value> thinned(const Timeline<Value>& before) const {
        Timeline<Value> after;
        for (const Interval<Value>& interval : before) {
            const Moment from = next(interval.from);
            const Moment to = next(interval.to);
            if (from >= to) {
                continue;
            }
            if (!after.empty() && after.back().to == from && after.back().value == interval.value) {
                after.back().to = to;
            } else {
                after.push_back({from, to, interval.value});
            }
        }
        return after;
    }

  private:
    std::map<Moment, bool> kept_;                          // whether it observes all
    std::map<std::int64_t, std::set<Moment>> exceptions_;  // by package
    std::vector<Moment> observed_, unobserved_;            // of the chosen package
};

Stays thinned_stays(const Observations& observations, const Stays& before) {
    Timeline<std::int64_t> stack_sets;
    for (const Interval<Stay>& stay : before) {
        stack_sets.push_back({stay.from, stay.to, stay.value.stack_set});
    }
    Stays after;
    for (const auto& [from, to, stack_set] : observations.thinned(stack_sets)) {
        const bool came = after.empty() || after.back().to != from;
        if (!came) {
            after.back().value.went = false;
        }
        after.push_back({from, to, {stack_set, came, to != forever}});
    }
    return after;
}

// Calls `remove` and `insert` for the intervals in which the two differ, in order of time. As
// for_each_difference(), whose time grows with the square of their number.
template <typename Value, typename Remove, typename Insert>
void compare_in_order(const Timeline<Value>& before, const Timeline<Value>& after, Remove remove,
                      Insert insert) {
    auto old = before.begin();
    for (const Interval<Value>& interval : after) {
        for (; old != before.end() && old->from < interval.from; ++old) {
            remove(*old);
        }
        const bool is_there = old != before.end() && old->from == interval.from;
        if (is_there && *old != interval) {
            remove(*old);
        }
        if (!is_there || *old != interval) {
            insert(interval);
        }
        old += is_there ? 1 : 0;
    }
    std::for_each(old, before.end(), remove);
}

class ThinOut {
  public:
    ThinOut(SQLite::Database& database, std::int64_t series_id, const std::set<Moment>& gone)
        : series_id_(series_id),
          observations_(database, series_id, gone),
          select_stays_(database,
                        "SELECT look_id, spec_id, valid_from, valid_to, stack_set_id, came, went "
                        "FROM presence WHERE series_id = ? AND package_id = ? "
                        "ORDER BY look_id, spec_id, valid_from"),
          delete_stay_(database,
                       "DELETE FROM presence WHERE series_id = ? AND package_id = ? "
                       "AND look_id = ? AND spec_id = ? AND valid_from = ?"),
          insert_stay_(database,
                       "INSERT INTO presence (series_id, package_id, look_id, spec_id, "
                       "valid_from, valid_to, stack_set_id, came, went) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
          select_pages_(database,
                        "SELECT valid_from, valid_to, page_id, path FROM page_presence "
                        "WHERE series_id = ? AND package_id = ? ORDER BY valid_from"),
          delete_page_(database,
                       "DELETE FROM page_presence WHERE series_id = ? AND package_id = ? "
                       "AND valid_from = ?"),
          insert_page_(database,
                       "INSERT INTO page_presence (series_id, package_id, valid_from, valid_to, "
                       "page_id, path) VALUES (?, ?, ?, ?, ?, ?)"),
          update_counts_(database,
                         "UPDATE snapshot SET specs = specs + ?, packages = packages + ? "
                         "WHERE series_id = ? AND taken_at = ?") {}

    void thin_package(std::int64_t package_id) {
        observations_.choose(package_id);
        thin_stays(package_id);
        thin_pages(package_id);
    }

    void write_counts() {
        for (const auto& [moment, change] : counts_) {
            if (change.specs != 0 || change.packages != 0) {
                run(update_counts_, change.specs, change.packages, series_id_, moment);
            }
        }
    }

  private:
    void thin_stays(std::int64_t package_id) {
        std::map<SpecOfLook, Stays> specs;
        rebind(select_stays_, series_id_, package_id);
        while (select_stays_.executeStep()) {
            const auto column = [&](int i) { return select_stays_.getColumn(i).getInt64(); };
            specs[{column(0), column(1)}].push_back(
                {column(2),
                 optional_int(select_stays_, 3).value_or(forever),
                 {column(4), column(5) != 0, column(6) != 0}});  // NULL gives 0
        }
        select_stays_.reset();
        const std::vector<Moment>& unobserved = observations_.unobserved();
        std::vector<std::int64_t> before_counts(unobserved.size());
        std::vector<std::int64_t> after_counts(unobserved.size());
        for (const auto& [spec, before] : specs) {
            const Stays after = thinned_stays(observations_, before);
            count(before, before_counts);
            count(after, after_counts);
            compare_in_order(
                before, after,
                [&, spec = spec](const Interval<Stay>& stay) {
                    run(delete_stay_, series_id_, package_id, spec.first, spec.second, stay.from);
                },
                [&, spec = spec](const Interval<Stay>& stay) {
                    run(insert_stay_, series_id_, package_id, spec.first, spec.second, stay.from,
                        null_if_open(stay.to), null_if_zero(stay.value.stack_set),
                        std::int64_t{stay.value.came}, std::int64_t{stay.value.went});
                });
        }
        for (std::size_t i = 0; i < unobserved.size(); ++i) {
            HistoryChange& change = counts_[unobserved[i]];
            change.specs += after_counts[i] - before_counts[i];
            change.packages += (after_counts[i] > 0 ? 1 : 0) - (before_counts[i] > 0 ? 1 : 0);
        }
    }

    // Adds 1 for each snapshot without an observation in which the spec is there.
    void count(const Stays& stays, std::vector<std::int64_t>& counts) const {
        const std::vector<Moment>& unobserved = observations_.unobserved();
        for (const Interval<Stay>& stay : stays) {
            const auto from = std::ranges::lower_bound(unobserved, stay.from);
            const auto to = std::ranges::lower_bound(unobserved, stay.to);
            for (auto at = from; at < to; ++at) {
                ++counts[static_cast<std::size_t>(at - unobserved.begin())];
            }
        }
    }

    void thin_pages(std::int64_t package_id) {
        Timeline<SeenPage> before;
        rebind(select_pages_, series_id_, package_id);
        while (select_pages_.executeStep()) {
            before.push_back(
                {select_pages_.getColumn(0).getInt64(),
                 optional_int(select_pages_, 1).value_or(forever),
                 {select_pages_.getColumn(2).getInt64(), select_pages_.getColumn(3).getString()}});
        }
        select_pages_.reset();
        compare_in_order(
            before, observations_.thinned(before),
            [&](const Interval<SeenPage>& page) {
                run(delete_page_, series_id_, package_id, page.from);
            },
            [&](const Interval<SeenPage>& page) {
                run(insert_page_, series_id_, package_id, page.from, null_if_open(page.to),
                    page.value.page_id, page.value.path);
            });
    }

    std::int64_t series_id_;
    Observations observations_;
    std::map<Moment, HistoryChange> counts_;
    SQLite::Statement select_stays_, delete_stay_, insert_stay_, select_pages_, delete_page_,
        insert_page_, update_counts_;
};

// Those with an interval that begins or ends at one of the moments: the others stay as they are.
std::set<std::int64_t> packages_changed(SQLite::Database& database, std::int64_t series_id,
                                        const std::set<Moment>& moments) {
    std::set<std::int64_t> packages;
    SQLite::Statement stays(database,
                            "SELECT package_id FROM presence WHERE series_id = ?1 "
                            "AND valid_from = ?2 UNION "
                            "SELECT package_id FROM presence WHERE series_id = ?1 "
                            "AND valid_to = ?2");
    for (const Moment moment : moments) {
        rebind(stays, series_id, moment);
        while (stays.executeStep()) {
            packages.insert(stays.getColumn(0).getInt64());
        }
    }
    SQLite::Statement pages(database,
                            "SELECT package_id, valid_from, valid_to FROM page_presence "
                            "WHERE series_id = ?");
    rebind(pages, series_id);
    while (pages.executeStep()) {
        if (moments.contains(pages.getColumn(1).getInt64()) ||
            moments.contains(optional_int(pages, 2).value_or(forever))) {
            packages.insert(pages.getColumn(0).getInt64());
        }
    }
    return packages;
}

}  // namespace

void thin_out(SQLite::Database& database, std::int64_t series_id, const std::set<Moment>& gone,
              const Progress& progress) {
    ThinOut work(database, series_id, gone);
    const auto packages = packages_changed(database, series_id, gone);
    std::size_t done = 0;
    for (const std::int64_t package_id : packages) {
        work.thin_package(package_id);
        progress(++done, packages.size());
    }
    work.write_counts();
}

}  // namespace cacheledger
