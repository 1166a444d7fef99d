#include "ingest/rows/intervals/package_history.hpp"

#include <algorithm>
#include <map>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

Moment end_of(SQLite::Statement& row, int column) {
    return optional_int(row, column).value_or(forever);
}

}  // namespace

PackageHistory::PackageHistory(SQLite::Database& database)
    : select_specs_(
          database,
          "SELECT look_id, spec_id, valid_from, valid_to, stack_set_id, came, went FROM presence "
          "WHERE series_id = ? AND package_id = ? AND valid_from <= ? "
          "AND (valid_to IS NULL OR valid_to >= ?) ORDER BY look_id, spec_id, valid_from"),
      delete_spec_(database,
                   "DELETE FROM presence WHERE series_id = ? AND package_id = ? AND look_id = ? "
                   "AND spec_id = ? AND valid_from = ?"),
      insert_spec_(database,
                   "INSERT INTO presence (series_id, package_id, look_id, spec_id, valid_from, "
                   "valid_to, stack_set_id, came, went) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      select_pages_(database,
                    "SELECT valid_from, valid_to, page_id, path FROM page_presence "
                    "WHERE series_id = ? AND package_id = ? AND valid_from <= ? "
                    "ORDER BY valid_from DESC"),
      delete_page_(
          database,
          "DELETE FROM page_presence WHERE series_id = ? AND package_id = ? AND valid_from = ?"),
      insert_page_(
          database,
          "INSERT INTO page_presence (series_id, package_id, valid_from, valid_to, page_id, "
          "path) VALUES (?, ?, ?, ?, ?, ?)"),
      select_changed_(
          database,
          "SELECT package_id FROM presence WHERE series_id = ?1 AND valid_from = ?2 UNION "
          "SELECT package_id FROM presence WHERE series_id = ?1 AND valid_to = ?2 UNION "
          "SELECT package_id FROM page_presence WHERE series_id = ?1 AND ?2 IN (valid_from, "
          "valid_to)"),
      next_observation_(
          database,
          "SELECT s.taken_at FROM snapshot s WHERE s.series_id = ? AND s.taken_at > ? "
          "AND s.observes_all <> EXISTS (SELECT 1 FROM observation_exception e "
          "WHERE e.snapshot_id = s.snapshot_id AND e.package_id = ?) "
          "ORDER BY s.taken_at LIMIT 1"),
      newest_(database) {}

void PackageHistory::begin(std::int64_t series_id, Moment taken_at, bool is_newest) {
    appending_.erase(series_id);
    if (is_newest) {
        appending_.emplace(series_id, taken_at);
    }
}

bool PackageHistory::can_append(std::int64_t series_id, Moment taken_at) const {
    const auto found = appending_.find(series_id);
    return found != appending_.end() && found->second == taken_at;
}

void PackageHistory::end_append(std::int64_t series_id, std::int64_t package_id) {
    appending_.erase(series_id);
    newest_.forget(series_id, package_id);
}

HistoryChange PackageHistory::set(std::int64_t series_id, std::int64_t package_id, Moment from,
                                  Moment to, const std::vector<SeenSpec>& state,
                                  const std::optional<SeenPage>& page) {
    end_append(series_id, package_id);
    Timelines timelines = take_timelines({series_id, package_id}, from, to);
    std::map<SpecKey, StackSet> wanted;
    for (const SeenSpec& spec : state) {
        wanted.emplace(SpecKey{spec.look_id, spec.spec_id}, spec.stack_set_id);
        timelines.try_emplace({spec.look_id, spec.spec_id});
    }
    std::int64_t specs_before = 0;
    for (auto& [key, before] : timelines) {
        const std::optional<Seen> seen = value_at(before, from);
        const auto old = seen ? std::optional<StackSet>(seen->stack_set) : std::nullopt;
        const auto found = wanted.find(key);
        const auto now = found == wanted.end() ? std::optional<StackSet>()
                                               : std::optional<StackSet>(found->second);
        specs_before += old ? 1 : 0;
        if (old != now) {
            Timeline<Seen> after = assign_stacks(before, from, to, now);
            write(series_id, package_id, key, before, after);
            before = std::move(after);
        }
    }
    known_[{series_id, package_id}] = {from, to, std::move(timelines)};
    set_page(series_id, package_id, from, to, page);
    const auto specs_now = static_cast<std::int64_t>(wanted.size());
    return {specs_now - specs_before, (specs_now > 0 ? 1 : 0) - (specs_before > 0 ? 1 : 0)};
}

// Those that touch the time from `from` until `to`.
PackageHistory::Timelines PackageHistory::take_timelines(const PackageOfSeries& package,
                                                         Moment from, Moment to) {
    Timelines timelines;
    const auto known = known_.find(package);
    if (known != known_.end() && known->second.from <= from && to <= known->second.to) {
        timelines = std::move(known->second.timelines);
        for (auto& [key, timeline] : timelines) {
            std::erase_if(timeline, [&](const auto& interval) {
                return interval.to < from || interval.from > to;
            });
        }
        std::erase_if(timelines, [](const auto& entry) { return entry.second.empty(); });
        return timelines;
    }
    rebind(select_specs_, package.first, package.second, to, from);
    while (select_specs_.executeStep()) {
        timelines[{select_specs_.getColumn(0).getInt64(), select_specs_.getColumn(1).getInt64()}]
            .push_back({select_specs_.getColumn(2).getInt64(),
                        end_of(select_specs_, 3),
                        {select_specs_.getColumn(4).getInt64(),  // NULL gives 0
                         select_specs_.getColumn(5).getInt() != 0,
                         select_specs_.getColumn(6).getInt() != 0}});
    }
    select_specs_.reset();
    return timelines;
}

// Like assign(), for intervals that also say where the spec came and went. `before` must have all
// intervals that touch the time from `from` until `to`. Nothing is known of the intervals before
// the first and after the last of these: there, `came` and `went` stay as they are.
Timeline<PackageHistory::Seen> PackageHistory::assign_stacks(
    const Timeline<Seen>& before, Moment from, Moment to,
    const std::optional<StackSet>& stack_set) {
    Timeline<StackSet> stacks;
    for (const Interval<Seen>& interval : before) {
        stacks.push_back({interval.from, interval.to, interval.value.stack_set});
    }
    Timeline<Seen> after;
    for (const Interval<StackSet>& interval : assign(stacks, from, to, stack_set)) {
        const bool came = after.empty() || after.back().to != interval.from;
        if (!came) {
            after.back().value.went = false;
        }
        after.push_back(
            {interval.from, interval.to, {interval.value, came, interval.to != forever}});
    }
    if (!before.empty() && !after.empty()) {
        if (after.front().from == before.front().from) {
            after.front().value.came = before.front().value.came;
        }
        if (after.back().to == before.back().to) {
            after.back().value.went = before.back().value.went;
        }
    }
    return after;
}

void PackageHistory::write(std::int64_t series_id, std::int64_t package_id, const SpecKey& key,
                           const Timeline<Seen>& before, const Timeline<Seen>& after) {
    for_each_difference(
        before, after,
        [&](const Interval<Seen>& interval) {
            run(delete_spec_, series_id, package_id, key.first, key.second, interval.from);
        },
        [&](const Interval<Seen>& interval) {
            run(insert_spec_, series_id, package_id, key.first, key.second, interval.from,
                null_if_open(interval.to), null_if_zero(interval.value.stack_set),
                std::int64_t{interval.value.came}, std::int64_t{interval.value.went});
        });
}

std::optional<SeenPage> PackageHistory::page_at(std::int64_t series_id, std::int64_t package_id,
                                                Moment moment) {
    newest_.flush();
    const Timeline<SeenPage> pages = pages_between(series_id, package_id, moment, moment);
    return value_at(pages, moment);
}

// The pages that touch the time from `from` until `to`, newest first. Pages do not overlap, so
// reading ends at the first older one.
Timeline<SeenPage> PackageHistory::pages_between(std::int64_t series_id, std::int64_t package_id,
                                                 Moment from, Moment to) {
    Timeline<SeenPage> pages;
    rebind(select_pages_, series_id, package_id, to);
    while (select_pages_.executeStep() && end_of(select_pages_, 1) >= from) {
        pages.push_back(
            {select_pages_.getColumn(0).getInt64(),
             end_of(select_pages_, 1),
             {select_pages_.getColumn(2).getInt64(), select_pages_.getColumn(3).getString()}});
    }
    select_pages_.reset();
    return pages;
}

void PackageHistory::set_page(std::int64_t series_id, std::int64_t package_id, Moment from,
                              Moment to, const std::optional<SeenPage>& page) {
    end_append(series_id, package_id);
    const Timeline<SeenPage> before = pages_between(series_id, package_id, from, to);
    for_each_difference(
        before, assign(before, from, to, page),
        [&](const Interval<SeenPage>& interval) {
            run(delete_page_, series_id, package_id, interval.from);
        },
        [&](const Interval<SeenPage>& interval) {
            run(insert_page_, series_id, package_id, interval.from, null_if_open(interval.to),
                interval.value.page_id, interval.value.path);
        });
}

std::vector<SeenSpec> PackageHistory::state_at(std::int64_t series_id, std::int64_t package_id,
                                               Moment moment) {
    newest_.flush();
    std::vector<SeenSpec> state;
    rebind(select_specs_, series_id, package_id, moment, moment + 1);
    while (select_specs_.executeStep()) {
        state.push_back({select_specs_.getColumn(0).getInt64(),
                         select_specs_.getColumn(1).getInt64(),
                         select_specs_.getColumn(4).getInt64()});
    }
    select_specs_.reset();
    return state;
}

HistoryChange PackageHistory::hold(std::int64_t series_id, std::int64_t package_id, Moment from,
                                   Moment to) {
    return set(series_id, package_id, from, to, state_at(series_id, package_id, from - 1),
               page_at(series_id, package_id, from - 1));
}

std::vector<std::int64_t> PackageHistory::packages_changed_at(std::int64_t series_id,
                                                              Moment moment) {
    newest_.flush();
    std::vector<std::int64_t> packages;
    rebind(select_changed_, series_id, moment);
    while (select_changed_.executeStep()) {
        packages.push_back(select_changed_.getColumn(0).getInt64());
    }
    select_changed_.reset();
    return packages;
}

Moment PackageHistory::next_observation(std::int64_t series_id, std::int64_t package_id,
                                        Moment moment) {
    rebind(next_observation_, series_id, moment, package_id);
    const Moment next =
        next_observation_.executeStep() ? next_observation_.getColumn(0).getInt64() : forever;
    next_observation_.reset();
    return next;
}

}  // namespace cacheledger
