#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// One spec of a package's state, and its stacks.
struct SeenSpec {
    std::int64_t look_id = 0;
    std::int64_t spec_id = 0;
    std::int64_t stack_set_id = 0;  ///< 0: the page does not say

    bool operator==(const SeenSpec&) const = default;
};

/// The page that gave a package's state.
struct SeenPage {
    std::int64_t page_id = 0;
    std::string path;

    bool operator==(const SeenPage&) const = default;
};

/// A root of a lock file: what a user asked for, and the spec that it became.
struct SeenRoot {
    std::string environment;  ///< "" for the lock itself
    std::string text;         ///< as the user wrote it
    std::int64_t number = 0;  ///< tells roots of one text apart
    std::int64_t spec_id = 0;
    std::optional<std::string> group{};  ///< of the roots of an environment (Spack 1.2)

    auto operator<=>(const SeenRoot&) const = default;
};

/// The end of an interval that is still open.
inline constexpr Moment forever = std::numeric_limits<Moment>::max();

/// Something that is there from `from` until `to`, half-open.
template <typename Seen>
struct Interval {
    Seen seen;
    Moment from = 0;
    Moment to = forever;
    bool came = true;   ///< it begins; else it was there before, with another value
    bool went = false;  ///< it ends; else it is there afterwards, with another value
};

/// The end of an interval as a column; NULL for one that is open.
inline std::optional<Moment> null_if_open(Moment to) {
    return to == forever ? std::nullopt : std::optional(to);
}

// Each `select` gives the interval first, and takes the group and a window's end and begin.
// `on_conflict`: what happens to a row that is there. Its end is all that can change: a row with
// another value is deleted first. An UPDATE for each row takes five times as long.

/// The specs of a package in a series, by look and spec: the table presence. The value is the stack
/// set.
struct SpecIntervals {
    using Seen = SeenSpec;
    using Group = std::tuple<std::int64_t, std::int64_t>;  ///< series, package
    using Batch =
        BatchInsert<std::int64_t, std::int64_t, std::int64_t, std::int64_t, Moment,
                    std::optional<Moment>, std::optional<std::int64_t>, std::int64_t, std::int64_t>;
    using Query =
        Select<Moment, std::optional<Moment>, std::int64_t, std::int64_t, std::int64_t, bool, bool>;
    static constexpr bool has_flags = true;  ///< came, went

    static auto key(const Seen& seen) { return std::tuple(seen.look_id, seen.spec_id); }

    static constexpr const char* select =
        "SELECT valid_from, valid_to, look_id, spec_id, stack_set_id, came, went FROM presence "
        "WHERE series_id = ? AND package_id = ? AND valid_from <= ? "
        "AND (valid_to IS NULL OR valid_to >= ?) ORDER BY look_id, spec_id, valid_from";
    static constexpr const char* remove =
        "DELETE FROM presence WHERE series_id = ? AND package_id = ? AND look_id = ? "
        "AND spec_id = ? AND valid_from = ?";
    static constexpr const char* into =
        "presence (series_id, package_id, look_id, spec_id, valid_from, valid_to, stack_set_id, "
        "came, went)";
    static constexpr const char* on_conflict =
        "ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to, went = excluded.went";

    static Interval<Seen> read(const Query::Row& row) {
        const auto& [from, to, look_id, spec_id, stack_set_id, came, went] = row;
        return {{look_id, spec_id, stack_set_id}, from, to.value_or(forever), came, went};
    }
    static void add(Batch& batch, const Group& group, const Interval<Seen>& interval) {
        const auto& [series_id, package_id] = group;
        batch.add(series_id, package_id, interval.seen.look_id, interval.seen.spec_id,
                  interval.from, null_if_open(interval.to),
                  null_if_zero(interval.seen.stack_set_id), interval.came ? 1 : 0,
                  interval.went ? 1 : 0);
    }
};

/// The page of a package in a series: the table page_presence.
struct PageIntervals {
    using Seen = SeenPage;
    using Group = std::tuple<std::int64_t, std::int64_t>;  ///< series, package
    using Batch = BatchInsert<std::int64_t, std::int64_t, Moment, std::optional<Moment>,
                              std::int64_t, std::string>;
    using Query = Select<Moment, std::optional<Moment>, std::int64_t, std::string>;
    static constexpr bool has_flags = false;

    static auto key(const Seen& /*seen*/) { return std::tuple<>(); }

    // Pages do not overlap: one at most touches the window and begins before it.
    static constexpr const char* select =
        "SELECT valid_from, valid_to, page_id, path FROM page_presence "
        "WHERE series_id = ?1 AND package_id = ?2 AND valid_from <= ?3 "
        "AND (valid_to IS NULL OR valid_to >= ?4) AND valid_from >= ifnull("
        "(SELECT max(valid_from) FROM page_presence WHERE series_id = ?1 AND package_id = ?2 "
        "AND valid_from < ?4), ?4) ORDER BY valid_from";
    static constexpr const char* remove =
        "DELETE FROM page_presence WHERE series_id = ? AND package_id = ? AND valid_from = ?";
    static constexpr const char* into =
        "page_presence (series_id, package_id, valid_from, valid_to, page_id, path)";
    static constexpr const char* on_conflict =
        "ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to";

    static Interval<Seen> read(const Query::Row& row) {
        const auto& [from, to, page_id, path] = row;
        return {{page_id, path}, from, to.value_or(forever)};
    }
    static void add(Batch& batch, const Group& group, const Interval<Seen>& interval) {
        const auto& [series_id, package_id] = group;
        batch.add(series_id, package_id, interval.from, null_if_open(interval.to),
                  interval.seen.page_id, interval.seen.path);
    }
};

/// The roots of a series, by environment, text and number: the table root_presence. The value is
/// the spec and its group.
struct RootIntervals {
    using Seen = SeenRoot;
    using Group = std::tuple<std::int64_t>;  ///< series
    using Batch = BatchInsert<std::int64_t, std::string, std::string, std::int64_t, std::int64_t,
                              Moment, std::optional<Moment>, std::optional<std::string>>;
    using Query = Select<Moment, std::optional<Moment>, std::string, std::string, std::int64_t,
                         std::int64_t, std::optional<std::string>>;
    static constexpr bool has_flags = false;

    static auto key(const Seen& seen) { return std::tie(seen.environment, seen.text, seen.number); }

    static constexpr const char* select =
        "SELECT valid_from, valid_to, environment, root, number, spec_id, root_group FROM "
        "root_presence "
        "WHERE series_id = ? AND valid_from <= ? AND (valid_to IS NULL OR valid_to >= ?) "
        "ORDER BY environment, root, number, valid_from";
    static constexpr const char* remove =
        "DELETE FROM root_presence WHERE series_id = ? AND environment = ? AND root = ? "
        "AND number = ? AND valid_from = ?";
    static constexpr const char* into =
        "root_presence (series_id, environment, root, number, spec_id, valid_from, valid_to, "
        "root_group)";
    static constexpr const char* on_conflict =
        "ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to";

    static Interval<Seen> read(const Query::Row& row) {
        const auto& [from, to, environment, text, number, spec_id, group] = row;
        return {{environment, text, number, spec_id, group}, from, to.value_or(forever)};
    }
    static void add(Batch& batch, const Group& group, const Interval<Seen>& interval) {
        batch.add(std::get<0>(group), interval.seen.environment, interval.seen.text,
                  interval.seen.number, interval.seen.spec_id, interval.from,
                  null_if_open(interval.to), interval.seen.group);
    }
};

/// What is there over time: a table whose rows are intervals, in groups. Within a group each thing
/// has a key, and its intervals do not overlap; two that touch have different values.
///
/// Of each group, the *window* is kept in memory: a time, and the intervals that touch it. set()
/// changes the window; only what differs is written. The newest snapshot is no special case, but a
/// cheap one: its time ends at `forever`, so the window has what is there now, whatever the length
/// of the history, and the next snapshot's window is a part of it.
///
/// Changed rows wait in memory until flush(). They are then written in the order of their keys,
/// which is several times as fast as any other order, and a row that began and ended meanwhile is
/// written once. Writes in the caller's transaction. After a rollback this object must not be used
/// again.
template <typename Table>
class IntervalTable {
  public:
    using Seen = typename Table::Seen;
    using Group = typename Table::Group;

    explicit IntervalTable(SQLite::Database& database);

    /// The numbers of things of a group, at one moment.
    struct Sizes {
        std::size_t before = 0;
        std::size_t now = 0;
    };

    /// From `from` until `to`, the group has the things `state`, each key once, and no other. This
    /// time may be anywhere in the history, but must begin and end where states do: the sizes are
    /// those at `from`.
    Sizes set(const Group& group, Moment from, Moment to, std::vector<Seen> state);

    /// What the group has at `moment`, sorted by key.
    std::vector<Seen> at(const Group& group, Moment moment);

    /// Moves each begin and end of the group's intervals to the moment `next` of it, which must be
    /// monotone and keep `forever`. An interval that is empty then is gone.
    void move(const Group& group, const std::function<Moment(Moment)>& next);

    /// How many things the group has at each of the moments, which are sorted.
    std::vector<std::int64_t> counts(const Group& group, const std::vector<Moment>& moments);

    /// Says what the ledger has of the group from `from` on, and that nothing changes later. No row
    /// of the group may wait.
    void know(const Group& group, Moment from, const std::vector<Interval<Seen>>& state);

    /// Whether the group has a window, of whatever time.
    bool knows(const Group& group) const { return windows_.contains(group); }

    /// The groups of a series whose windows have something at `moment`.
    std::vector<Group> groups_at(std::int64_t series_id, Moment moment) const;

    /// Writes the rows that wait.
    void flush();

    /// Writes the rows that wait, and forgets all windows. Call this before other code changes the
    /// table.
    void forget();

  private:
    struct Row : Interval<Seen> {
        bool is_stored = false;    // the ledger has a row with this key and begin, which says
        bool stored_went = false;  // this
        Moment stored_to = 0;      // and this

        bool is_changed() const {
            return !is_stored || stored_to != this->to || stored_went != this->went;
        }
        bool is_at(Moment moment) const { return this->from <= moment && moment < this->to; }
    };
    struct Window {
        Moment from = 0;
        Moment to = 0;
        std::vector<Row> rows;     // those that touch the window, by key and begin
        std::vector<Row> others;   // they do not touch it any more, and wait
        std::vector<Row> removed;  // to be deleted
    };

    Window& open(const Group& group, Moment from, Moment to);
    static void narrow(Window& window, Moment from, Moment to);
    void assign(Window& window, std::span<Row> rows, const Seen* wanted);
    void place(Window& window, Row row);
    void remove(Window& window, Row& row);
    static Row stored(const Interval<Seen>& interval);

    typename Table::Query select_;
    Write remove_;
    typename Table::Batch save_;
    std::map<Group, Window> windows_;
    std::set<Group> changed_;  // the windows with rows that wait
    std::size_t waiting_ = 0;
};

}  // namespace cacheledger
