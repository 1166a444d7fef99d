#include "ingest/rows/intervals/interval_rows.hpp"

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

std::optional<Moment> null_if_open(Moment to) {
    return to == forever ? std::nullopt : std::optional(to);
}

}  // namespace

// Each `select` gives the interval first, and takes the group and a window's end and begin.
// `on_conflict`: what happens to a row that is there. Its end is all that can change: a row with
// another value is deleted first. An UPDATE for each row takes five times as long.

const char* const SpecIntervals::select =
    "SELECT valid_from, valid_to, look_id, spec_id, stack_set_id, came, went FROM presence "
    "WHERE series_id = ? AND package_id = ? AND valid_from <= ? "
    "AND (valid_to IS NULL OR valid_to >= ?) ORDER BY look_id, spec_id, valid_from";
const char* const SpecIntervals::remove =
    "DELETE FROM presence WHERE series_id = ? AND package_id = ? AND look_id = ? AND spec_id = ? "
    "AND valid_from = ?";
const char* const SpecIntervals::into =
    "presence (series_id, package_id, look_id, spec_id, valid_from, valid_to, stack_set_id, came, "
    "went)";
const char* const SpecIntervals::on_conflict =
    "ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to, went = excluded.went";

void SpecIntervals::read(SQLite::Statement& row, Interval<Seen>& interval) {
    const auto column = [&](int i) { return row.getColumn(i).getInt64(); };  // NULL gives 0
    interval.seen = {column(2), column(3), column(4)};
    interval.came = column(5) != 0;
    interval.went = column(6) != 0;
}

void SpecIntervals::add(Batch& batch, const Group& group, const Interval<Seen>& interval) {
    const auto& [series_id, package_id] = group;
    batch.add(series_id, package_id, interval.seen.look_id, interval.seen.spec_id, interval.from,
              null_if_open(interval.to), null_if_zero(interval.seen.stack_set_id),
              interval.came ? 1 : 0, interval.went ? 1 : 0);
}

// Pages do not overlap: one at most touches the window and begins before it.
const char* const PageIntervals::select =
    "SELECT valid_from, valid_to, page_id, path FROM page_presence "
    "WHERE series_id = ?1 AND package_id = ?2 AND valid_from <= ?3 "
    "AND (valid_to IS NULL OR valid_to >= ?4) AND valid_from >= ifnull("
    "(SELECT max(valid_from) FROM page_presence WHERE series_id = ?1 AND package_id = ?2 "
    "AND valid_from < ?4), ?4) ORDER BY valid_from";
const char* const PageIntervals::remove =
    "DELETE FROM page_presence WHERE series_id = ? AND package_id = ? AND valid_from = ?";
const char* const PageIntervals::into =
    "page_presence (series_id, package_id, valid_from, valid_to, page_id, path)";
const char* const PageIntervals::on_conflict =
    "ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to";

void PageIntervals::read(SQLite::Statement& row, Interval<Seen>& interval) {
    interval.seen = {row.getColumn(2).getInt64(), row.getColumn(3).getString()};
}

void PageIntervals::add(Batch& batch, const Group& group, const Interval<Seen>& interval) {
    const auto& [series_id, package_id] = group;
    batch.add(series_id, package_id, interval.from, null_if_open(interval.to),
              interval.seen.page_id, interval.seen.path);
}

const char* const RootIntervals::select =
    "SELECT valid_from, valid_to, environment, root, number, spec_id, root_group FROM "
    "root_presence "
    "WHERE series_id = ? AND valid_from <= ? AND (valid_to IS NULL OR valid_to >= ?) "
    "ORDER BY environment, root, number, valid_from";
const char* const RootIntervals::remove =
    "DELETE FROM root_presence WHERE series_id = ? AND environment = ? AND root = ? "
    "AND number = ? AND valid_from = ?";
const char* const RootIntervals::into =
    "root_presence (series_id, environment, root, number, spec_id, valid_from, valid_to, "
    "root_group)";
const char* const RootIntervals::on_conflict =
    "ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to";

void RootIntervals::read(SQLite::Statement& row, Interval<Seen>& interval) {
    interval.seen = {row.getColumn(2).getString(), row.getColumn(3).getString(),
                     row.getColumn(4).getInt64(), row.getColumn(5).getInt64()};
    if (!row.isColumnNull(6)) {
        interval.seen.group = row.getColumn(6).getString();
    }
}

void RootIntervals::add(Batch& batch, const Group& group, const Interval<Seen>& interval) {
    batch.add(std::get<0>(group), interval.seen.environment, interval.seen.text,
              interval.seen.number, interval.seen.spec_id, interval.from, null_if_open(interval.to),
              interval.seen.group);
}

}  // namespace cacheledger
