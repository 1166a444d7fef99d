#pragma once

#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "ingest/rows/intervals/seen.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"

namespace cacheledger {

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

/// The specs of a package in a series, by look and spec: the table presence. The value is the stack
/// set.
struct SpecIntervals {
    using Seen = SeenSpec;
    using Group = std::tuple<std::int64_t, std::int64_t>;  ///< series, package
    using Batch =
        BatchInsert<std::int64_t, std::int64_t, std::int64_t, std::int64_t, Moment,
                    std::optional<Moment>, std::optional<std::int64_t>, std::int64_t, std::int64_t>;
    static constexpr bool has_flags = true;  ///< came, went

    static auto key(const Seen& seen) { return std::tuple(seen.look_id, seen.spec_id); }
    static const char *const select, *const remove, *const into, *const on_conflict;
    static void read(SQLite::Statement& row, Interval<Seen>& interval);
    static void add(Batch& batch, const Group& group, const Interval<Seen>& interval);
};

/// The page of a package in a series: the table page_presence.
struct PageIntervals {
    using Seen = SeenPage;
    using Group = std::tuple<std::int64_t, std::int64_t>;  ///< series, package
    using Batch = BatchInsert<std::int64_t, std::int64_t, Moment, std::optional<Moment>,
                              std::int64_t, std::string>;
    static constexpr bool has_flags = false;

    static auto key(const Seen& /*seen*/) { return std::tuple<>(); }
    static const char *const select, *const remove, *const into, *const on_conflict;
    static void read(SQLite::Statement& row, Interval<Seen>& interval);
    static void add(Batch& batch, const Group& group, const Interval<Seen>& interval);
};

/// The roots of a series, by environment, text and number: the table root_presence. The value is
/// the spec and its group.
struct RootIntervals {
    using Seen = SeenRoot;
    using Group = std::tuple<std::int64_t>;  ///< series
    using Batch = BatchInsert<std::int64_t, std::string, std::string, std::int64_t, std::int64_t,
                              Moment, std::optional<Moment>, std::optional<std::string>>;
    static constexpr bool has_flags = false;

    static auto key(const Seen& seen) { return std::tie(seen.environment, seen.text, seen.number); }
    static const char *const select, *const remove, *const into, *const on_conflict;
    static void read(SQLite::Statement& row, Interval<Seen>& interval);
    static void add(Batch& batch, const Group& group, const Interval<Seen>& interval);
};

}  // namespace cacheledger
