#include "schema/ledger/upkeep/retention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <tuple>
#include <utility>

#include "schema/ledger/names/nearest.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

std::chrono::sys_days day_of(Moment moment) {
    return std::chrono::floor<std::chrono::days>(
        std::chrono::sys_seconds(std::chrono::seconds(moment)));
}

// The number of the week, from some Monday on.
std::int64_t week_of(Moment moment) {
    constexpr std::chrono::sys_days monday{std::chrono::year(1969) / 12 / 29};
    return std::chrono::floor<std::chrono::weeks>(day_of(moment) - monday).count();
}

std::int64_t month_of(Moment moment) {
    const std::chrono::year_month_day day(day_of(moment));
    return std::int64_t{static_cast<int>(day.year())} * 12 + static_cast<unsigned>(day.month());
}

// A rule, and what is left of its number.
struct Rule {
    const char* name;
    std::int64_t left;
    std::int64_t (*period_of)(Moment);  // snapshots of one period have the same
    std::optional<std::int64_t> period = {};
};

}  // namespace

std::vector<std::vector<std::string>> reasons_to_keep(const std::vector<Moment>& moments,
                                                      const Retention& retention) {
    std::array rules = {
        Rule{"last", retention.last, [](Moment moment) { return std::int64_t{moment}; }},
        Rule{"daily", retention.daily,
             [](Moment moment) -> std::int64_t {
                 return day_of(moment).time_since_epoch().count();
             }},
        Rule{"weekly", retention.weekly, week_of},
        Rule{"monthly", retention.monthly, month_of},
    };
    std::vector<std::vector<std::string>> reasons;
    for (const Moment moment : moments) {
        const bool is_oldest = reasons.size() + 1 == moments.size();
        reasons.emplace_back();
        for (Rule& rule : rules) {
            const std::int64_t period = rule.period_of(moment);
            const bool is_newest = rule.period != period;
            if (rule.left > 0 && (is_newest || is_oldest)) {
                reasons.back().push_back(is_newest ? rule.name
                                                   : fmt::format("oldest {}", rule.name));
                rule.period = period;
                rule.left -= rule.left == unlimited ? 0 : 1;
            }
        }
    }
    return reasons;
}

std::vector<JudgedSnapshot> judge_snapshots(SQLite::Database& database, const Retention& retention,
                                            const std::optional<std::string>& tag) {
    std::vector<JudgedSnapshot> all;
    for (const auto& [id, series_id, taken_at, snapshot_tag, name, series, kind, observed] :
         rows<std::int64_t, std::int64_t, Moment, std::string, std::string, std::string,
              std::string, std::string>(
             database,
             "SELECT s.snapshot_id, s.series_id, s.taken_at, s.tag, s.name, r.name, s.kind, "
             "iif(s.observes_all, 'whole', 'partial') FROM snapshot s JOIN series r USING "
             "(series_id) "
             "WHERE ?1 IS NULL OR ?1 IN (s.tag, r.name) "
             "ORDER BY r.name, s.kind, s.observes_all DESC, s.taken_at DESC",
             tag)) {
        all.push_back({{id, series_id, taken_at, snapshot_tag, name}, series, observed, kind, {}});
    }
    if (all.empty() && tag) {
        refuse_unknown("tag or series", *tag,
                       all_values<std::string>(
                           database, "SELECT name FROM series UNION SELECT tag FROM snapshot"),
                       "cacheledger snapshots lists them");
    }
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end = std::find_if(begin, all.end(), [&](const JudgedSnapshot& other) {
            return std::tie(other.series, other.kind, other.extent) !=
                   std::tie(begin->series, begin->kind, begin->extent);
        });
        std::vector<Moment> moments;
        std::transform(begin, end, std::back_inserter(moments),
                       [](const JudgedSnapshot& one) { return one.snapshot.taken_at; });
        for (auto& reasons : reasons_to_keep(moments, retention)) {
            (begin++)->reasons = std::move(reasons);
        }
    }
    return all;
}

}  // namespace cacheledger
