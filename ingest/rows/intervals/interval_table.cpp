#include "ingest/rows/intervals/interval_table.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cacheledger {

namespace {

// Some 60 bytes each. More than the whole public cache has: it is then written in the order of the
// keys of all tables.
constexpr std::size_t most_waiting_rows = 250'000;

}  // namespace

template <typename Table>
IntervalTable<Table>::IntervalTable(SQLite::Database& database)
    : select_(database, Table::select),
      remove_(database, Table::remove),
      save_(database, Table::into, Table::on_conflict) {}

template <typename Table>
auto IntervalTable<Table>::stored(const Interval<Seen>& interval) -> Row {
    Row row{interval};
    row.is_stored = true;
    row.stored_to = row.to;
    row.stored_went = row.went;
    return row;
}

// The window of the group, which has the time from `from` until `to`.
template <typename Table>
auto IntervalTable<Table>::open(const Group& group, Moment from, Moment to) -> Window& {
    const auto known = windows_.find(group);
    if (known != windows_.end() && known->second.from <= from && to <= known->second.to) {
        return known->second;
    }
    if (changed_.contains(group)) {
        flush();
    }
    Window& window = windows_[group];
    window = {from, to, {}, {}, {}};
    for (auto&& row : std::apply([&](auto... ids) { return select_(ids..., to, from); }, group)) {
        window.rows.push_back(stored(Table::read(std::move(row))));
    }
    return window;
}

// Leaves the time from `from` until `to` in the window.
template <typename Table>
void IntervalTable<Table>::narrow(Window& window, Moment from, Moment to) {
    window.from = from;
    window.to = to;
    std::erase_if(window.rows, [&](Row& row) {
        if (row.from <= to && from <= row.to) {
            return false;
        }
        if (row.is_changed()) {
            window.others.push_back(std::move(row));
        }
        return true;
    });
}

template <typename Table>
auto IntervalTable<Table>::set(const Group& group, Moment from, Moment to, std::vector<Seen> state)
    -> Sizes {
    const auto less = [](const Seen& a, const Seen& b) { return Table::key(a) < Table::key(b); };
    std::ranges::sort(state, less);
    Window& window = open(group, from, to);
    narrow(window, from, to);
    std::vector<Row> rows = std::exchange(window.rows, {});
    window.rows.reserve(state.size());
    Sizes sizes{0, state.size()};
    const std::size_t waiting_before = waiting_;
    auto row = rows.begin();
    for (auto seen = state.begin(); seen != state.end() || row != rows.end();) {
        const bool is_wanted =
            seen != state.end() && (row == rows.end() || !less(row->seen, *seen));
        const Seen& first = is_wanted ? *seen : row->seen;
        auto end = row;
        for (; end != rows.end() && !less(first, end->seen); ++end) {
            sizes.before += end->is_at(from) ? 1 : 0;
        }
        assign(window, {row, end}, is_wanted ? &*seen : nullptr);
        row = end;
        seen += is_wanted ? 1 : 0;
    }
    if (waiting_ > waiting_before) {
        changed_.insert(group);
    }
    if (waiting_ > most_waiting_rows) {
        flush();
    }
    return sizes;
}

// Adds the rows of one thing to the window, as they are if it is `wanted` in all of that time
// (nullptr: in none of it).
template <typename Table>
void IntervalTable<Table>::assign(Window& window, std::span<Row> rows, const Seen* wanted) {
    const auto [from, to] = std::pair(window.from, window.to);
    const auto is_so = [&, from = from, to = to](const Row& row) {
        return row.from <= from && to <= row.to && row.seen == *wanted;
    };
    if (wanted != nullptr && std::ranges::any_of(rows, is_so)) {
        std::move(rows.begin(), rows.end(), std::back_inserter(window.rows));
        return;
    }
    for (Row& row : rows) {
        if (row.from < from) {
            Row part = row;
            part.to = std::min(row.to, from);
            place(window, std::move(part));
        } else if (row.from < to) {
            remove(window, row);
        }
    }
    if (wanted != nullptr) {
        Row row;
        row.seen = *wanted;
        row.from = from;
        row.to = to;
        place(window, std::move(row));
    }
    for (Row& row : rows) {
        if (row.to > to) {
            if (row.from < to) {
                row.from = to;
                row.is_stored = false;
            }
            place(window, std::move(row));
        }
    }
}

// Adds a row to the window after those that it has: the one place that knows when two intervals are
// one, and when something came or went. What lies beyond the window is not known: there, both stay
// as they are.
template <typename Table>
void IntervalTable<Table>::place(Window& window, Row row) {
    ++waiting_;
    Row* const last =
        window.rows.empty() || Table::key(window.rows.back().seen) != Table::key(row.seen)
            ? nullptr
            : &window.rows.back();
    const bool follows = last != nullptr && last->to == row.from;
    if (Table::has_flags && row.to <= window.to) {
        row.went = row.to != forever;
    }
    if (follows && last->seen == row.seen) {
        remove(window, row);
        last->to = row.to;
        last->went = row.went;
        return;
    }
    if (Table::has_flags && follows) {
        last->went = false;
    }
    if (Table::has_flags && row.from >= window.from && row.came == follows) {
        remove(window, row);
        row.came = !follows;
    }
    window.rows.push_back(std::move(row));
}

template <typename Table>
void IntervalTable<Table>::remove(Window& window, Row& row) {
    if (row.is_stored) {
        ++waiting_;
        window.removed.push_back(row);
        row.is_stored = false;
    }
}

template <typename Table>
auto IntervalTable<Table>::at(const Group& group, Moment moment) -> std::vector<Seen> {
    std::vector<Seen> state;
    for (const Row& row : open(group, moment, moment).rows) {
        if (row.is_at(moment)) {
            state.push_back(row.seen);
        }
    }
    return state;
}

template <typename Table>
void IntervalTable<Table>::move(const Group& group, const std::function<Moment(Moment)>& next) {
    Window& window = open(group, first_moment, forever);
    std::vector<Row> rows = std::exchange(window.rows, {});
    for (Row& row : rows) {
        const auto [from, to] = std::pair(next(row.from), next(row.to));
        if (from != row.from || from == to) {
            remove(window, row);
        }
        if (from < to) {
            row.from = from;
            row.to = to;
            place(window, std::move(row));
        }
    }
    changed_.insert(group);
}

template <typename Table>
std::vector<std::int64_t> IntervalTable<Table>::counts(const Group& group,
                                                       const std::vector<Moment>& moments) {
    std::vector<std::int64_t> counts(moments.size());
    for (const Row& row : open(group, first_moment, forever).rows) {
        const auto begin = std::lower_bound(moments.begin(), moments.end(), row.from);
        const auto end = std::lower_bound(begin, moments.end(), row.to);
        for (auto at = begin; at != end; ++at) {
            ++counts[static_cast<std::size_t>(at - moments.begin())];
        }
    }
    return counts;
}

template <typename Table>
void IntervalTable<Table>::know(const Group& group, Moment from,
                                const std::vector<Interval<Seen>>& state) {
    Window& window = windows_[group];
    window = {from, forever, {}, {}, {}};
    std::transform(state.begin(), state.end(), std::back_inserter(window.rows), &stored);
}

template <typename Table>
auto IntervalTable<Table>::groups_at(std::int64_t series_id, Moment moment) const
    -> std::vector<Group> {
    std::vector<Group> groups;
    for (const auto& [group, window] : windows_) {
        if (std::get<0>(group) == series_id &&
            std::ranges::any_of(window.rows, [&](const Row& row) { return row.is_at(moment); })) {
            groups.push_back(group);
        }
    }
    return groups;
}

template <typename Table>
void IntervalTable<Table>::flush() {
    const auto place_of = [](const Row& row) { return std::tuple(Table::key(row.seen), row.from); };
    for (const Group& group : changed_) {
        Window& window = windows_.at(group);
        for (const Row& row : std::exchange(window.removed, {})) {
            std::apply(remove_, std::tuple_cat(group, Table::key(row.seen), std::tuple(row.from)));
        }
        std::vector<Row> rows = std::exchange(window.others, {});
        for (Row& row : window.rows) {
            if (row.is_changed()) {
                rows.push_back(row);
                row.is_stored = true;
                row.stored_to = row.to;
                row.stored_went = row.went;
            }
        }
        std::ranges::sort(rows,
                          [&](const Row& a, const Row& b) { return place_of(a) < place_of(b); });
        for (const Row& row : rows) {
            Table::add(save_, group, row);
        }
    }
    save_.flush();
    changed_.clear();
    waiting_ = 0;
}

template <typename Table>
void IntervalTable<Table>::forget() {
    flush();
    windows_.clear();
}

template class IntervalTable<SpecIntervals>;
template class IntervalTable<PageIntervals>;
template class IntervalTable<RootIntervals>;

}  // namespace cacheledger
