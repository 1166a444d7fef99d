#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "ingest/rows/intervals/interval_rows.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

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

    SQLite::Statement select_, remove_;
    typename Table::Batch save_;
    std::map<Group, Window> windows_;
    std::set<Group> changed_;  // the windows with rows that wait
    std::size_t waiting_ = 0;
};

}  // namespace cacheledger
