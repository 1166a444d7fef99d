#include "reports/state_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/reader.hpp"

namespace cacheledger {

namespace {

/// A spec in one of the snapshots, or in both by one interval.
struct Entry {
    std::int64_t package_id, look_id, spec_id, stack_set_id;
    std::array<bool, 2> in;  ///< by Side

    auto key() const { return std::tie(package_id, look_id, spec_id); }
};

/// Takes entries in the order of package, look and spec, and counts them.
class Counter {
  public:
    explicit Counter(StateComparison& comparison) : comparison_(comparison) {}

    /// A spec that both have by one interval: nothing of it changed.
    void add_unchanged(std::int64_t package_id, std::int64_t look_id) {
        begin(package_id, look_id);
        ++look_.specs[0];
        ++look_.specs[1];
    }

    void add(const Entry& entry) {
        begin(entry.package_id, entry.look_id);
        const auto side = entry.in[0] ? Side::before : Side::after;
        ++look_.specs[static_cast<std::size_t>(side)];
        auto& changed = comparison_.changed;
        if (changed.size() == look_.first_changed || changed.back().spec_id != entry.spec_id) {
            changed.push_back({entry.spec_id, entry.stack_set_id, side});
            return;
        }
        // Both have the spec after all, by two intervals; each snapshot has one at most.
        std::array<std::int64_t, 2> stacks = {changed.back().stack_set_id, entry.stack_set_id};
        if (side == Side::before) {
            std::swap(stacks[0], stacks[1]);
        }
        changed.pop_back();
        if (stacks[0] != stacks[1] && stacks[0] != 0 && stacks[1] != 0) {
            comparison_.moved.push_back({entry.package_id, entry.look_id, entry.spec_id, stacks});
        }
    }

    void finish() {
        look_.changed_count = comparison_.changed.size() - look_.first_changed;
        if (look_.look_id != 0 && (look_.changed_count > 0 || comparison_.has_all_looks)) {
            comparison_.looks.push_back(look_);
        }
    }

  private:
    void begin(std::int64_t package_id, std::int64_t look_id) {
        if (look_id != look_.look_id || package_id != look_.package_id) {
            finish();
            look_ = {package_id, look_id, {}, comparison_.changed.size(), 0};
        }
    }

    StateComparison& comparison_;
    LookPresence look_;
};

using LookKey = std::pair<std::int64_t, std::int64_t>;  // package, look

/// The snapshots of one series, in the order of time.
struct Period {
    Moment first, last;
    bool forward;  ///< `before` is the first

    Period(const Snapshot& before, const Snapshot& after)
        : first(std::min(before.taken_at, after.taken_at)),
          last(std::max(before.taken_at, after.taken_at)),
          forward(before.taken_at <= after.taken_at) {}
};

/// Finding the rows of a look takes about as long as reading this many in passing.
constexpr std::size_t rows_for_one_search = 8;

/// The looks of which a spec came, went or moved in the period, in order, each once; none where
/// that were so many that reading the whole series is less.
std::optional<std::vector<LookKey>> touched_looks(const SQLite::Database& database,
                                                  std::int64_t series_id, const Period& period) {
    // Nearly every spec has one row of presence, so that the last spec tells how many rows there
    // are.
    const auto rows = static_cast<std::size_t>(read_id(database, "SELECT max(spec_id) FROM spec"));
    // The indexes on moments hold the primary key as well, and no row of the table is read.
    Reader reader(database,
                  "SELECT package_id, look_id FROM presence INDEXED BY presence_from "
                  "WHERE series_id = ?1 AND valid_from > ?2 AND valid_from <= ?3 "
                  "UNION ALL "
                  "SELECT package_id, look_id FROM presence INDEXED BY presence_to "
                  "WHERE series_id = ?1 AND valid_to > ?2 AND valid_to <= ?3");
    reader.start(series_id, period.first, period.last);
    std::vector<LookKey> looks;
    while (reader.step()) {
        looks.emplace_back(reader.id(0), reader.id(1));
        if (looks.size() * rows_for_one_search > rows) {
            return std::nullopt;
        }
    }
    std::sort(looks.begin(), looks.end());
    looks.erase(std::unique(looks.begin(), looks.end()), looks.end());
    return looks;
}

/// What add_rows() reads, of rows that are there at some moment of a period.
constexpr std::string_view select_rows =
    "SELECT package_id, look_id, valid_from, valid_to, spec_id, stack_set_id FROM presence "
    "WHERE +valid_from <= ?1 AND (valid_to IS NULL OR valid_to > ?2) AND series_id = ?3 ";

void add_rows(Reader& reader, const Period& period, Counter& counter) {
    while (reader.step()) {
        const bool in_first = reader.id(2) <= period.first;
        const bool in_last = reader.is_null(3) || reader.id(3) > period.last;
        if (in_first && in_last) {
            counter.add_unchanged(reader.id(0), reader.id(1));
        } else if (in_first || in_last) {
            counter.add({reader.id(0),
                         reader.id(1),
                         reader.id(4),
                         reader.id(5),
                         {in_first == period.forward, in_last == period.forward}});
        }
    }
}

void add_looks(const SQLite::Database& database, std::int64_t series_id, const Period& period,
               const std::vector<LookKey>& looks, Counter& counter) {
    Reader reader(database, fmt::format("{} AND package_id = ?4 AND look_id = ?5 ORDER BY spec_id",
                                        select_rows));
    for (const auto& [package_id, look_id] : looks) {
        reader.start(period.last, period.first, series_id, package_id, look_id);
        add_rows(reader, period, counter);
    }
}

void add_series(const SQLite::Database& database, std::int64_t series_id, const Period& period,
                Counter& counter) {
    Reader reader(database, fmt::format("{} ORDER BY package_id, look_id, spec_id", select_rows));
    reader.start(period.last, period.first, series_id);
    add_rows(reader, period, counter);
}

/// The specs of one snapshot, one by one.
class SpecReader {
  public:
    SpecReader(const SQLite::Database& database, const Snapshot& snapshot, Side side)
        : reader_(database,
                  "SELECT package_id, look_id, spec_id, stack_set_id FROM presence "
                  "WHERE series_id = ?1 AND +valid_from <= ?2 "
                  "AND (valid_to IS NULL OR valid_to > ?2) "
                  "ORDER BY package_id, look_id, spec_id"),
          entry_{0, 0, 0, 0, {side == Side::before, side == Side::after}} {
        reader_.start(snapshot.series_id, snapshot.taken_at);
        advance();
    }

    bool has_entry() const { return has_entry_; }
    const Entry& entry() const { return entry_; }

    void advance() {
        has_entry_ = reader_.step();
        if (has_entry_) {
            entry_ = {reader_.id(0), reader_.id(1), reader_.id(2), reader_.id(3), entry_.in};
        }
    }

  private:
    Reader reader_;
    Entry entry_;
    bool has_entry_ = false;
};

void add_two_series(const SQLite::Database& database, const Snapshot& before, const Snapshot& after,
                    Counter& counter) {
    SpecReader removed(database, before, Side::before);
    SpecReader added(database, after, Side::after);
    while (removed.has_entry() || added.has_entry()) {
        const bool is_removed =
            !added.has_entry() ||
            (removed.has_entry() && removed.entry().key() <= added.entry().key());
        SpecReader& next = is_removed ? removed : added;
        counter.add(next.entry());
        next.advance();
    }
}

}  // namespace

StateComparison compare_states(const SQLite::Database& database, const Snapshot& before,
                               const Snapshot& after) {
    StateComparison comparison;
    Counter counter(comparison);
    if (before.series_id != after.series_id) {
        comparison.has_all_looks = true;
        add_two_series(database, before, after, counter);
    } else {
        const Period period(before, after);
        const auto looks = touched_looks(database, before.series_id, period);
        comparison.has_all_looks = !looks;
        if (looks) {
            add_looks(database, before.series_id, period, *looks, counter);
        } else {
            add_series(database, before.series_id, period, counter);
        }
    }
    counter.finish();
    return comparison;
}

}  // namespace cacheledger
