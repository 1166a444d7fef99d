#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

// This room tells when the caches of a ledger had builds. Hashes come in; stretches of snapshots
// go out, by series. Lock files are no caches: their snapshots are left out, if not asked for.

/// Snapshots of one series, from old to new.
struct TimelineSeries {
    struct State {
        std::string name;
        Moment taken_at = 0;
        std::string kind;  ///< "pages", "index", "lock", ...
    };
    std::string name;
    std::vector<State> states;
};

/// Snapshots of a series that follow each other: from `first` up to the one before `end`, as places
/// in TimelineSeries::states.
struct Stretch {
    std::size_t series = 0;  ///< its place in Timeline::series()
    std::size_t first = 0, end = 0;
};

/// Where a build was last.
struct LastSeen {
    std::string snapshot;  ///< the newest one that has it, of any series
    std::string series;    ///< of that snapshot
    Moment taken_at = 0;
    std::vector<std::string> now_in;  ///< the series whose newest snapshot has it

    /// "now in develop and v2026.06", "in site until 2025-05-01".
    std::string words() const;
};

class Timeline {
  public:
    enum class Kinds : std::uint8_t { caches, all };

    /// Reads the snapshots. `wanted`: the name of a snapshot that wants the builds; any other text
    /// is none. Its series is left out, if it is not that of the snapshot `asked`. Throws
    /// SQLite::Exception, as all functions do.
    explicit Timeline(const SQLite::Database& database, Kinds kinds = Kinds::caches,
                      const std::string& wanted = "", const std::string& asked = "");

    /// In the order of their names.
    const std::vector<TimelineSeries>& series() const { return series_; }

    /// Whether there is more than one snapshot: otherwise nothing was before, or is elsewhere.
    bool has_several_states() const;

    /// The snapshots that have any of the builds with these hashes: by series, from old to new, no
    /// two beside each other.
    std::vector<Stretch> of_hashes(std::span<const std::string> hashes) const;
    std::vector<Stretch> of_specs(std::span<const std::int64_t> spec_ids) const;

    /// nullopt if no snapshot has it.
    std::optional<LastSeen> last_seen(const std::vector<Stretch>& stretches) const;

    /// How many of several builds each snapshot has, by series and state. `of_builds`: of each, the
    /// snapshots that have it.
    std::vector<std::vector<std::int64_t>> counts(
        const std::vector<std::vector<Stretch>>& of_builds) const;

  private:
    using Presence = Select<std::int64_t, Moment, std::optional<Moment>>;

    void add(Rows<std::int64_t, Moment, std::optional<Moment>> presence,
             std::vector<Stretch>& stretches) const;

    std::vector<TimelineSeries> series_;
    std::unordered_map<std::int64_t, std::size_t> places_;  // by series_id
    Presence of_hash_, of_spec_;
};

}  // namespace cacheledger
