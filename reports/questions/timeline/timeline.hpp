#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/document/document.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/search/dependents.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/specs/queries/spec_query.hpp"
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

/// The hashes under which a cache can have a node: its own, and that of the build from which it was
/// spliced.
std::vector<std::string> hashes_of(const WantedNode& node);

/// The snapshots that have a node.
std::vector<Stretch> stretches_of(const Timeline& timeline, const WantedNode& node);

/// Finds the builds of the whole ledger that are what lines of a list want.
class BuildsOfLines {
  public:
    explicit BuildsOfLines(SQLite::Database& database) : database_(database), memory_(database) {}

    MatchingSpecs find(const WantedSpec& line);

  private:
    SQLite::Database& database_;
    SearchMemory memory_;
};

/// Which series have, or had, builds that match a spec: caches and lock files alike.
struct WhereUsed {
    struct One {
        std::string series;
        std::string newest, kind;    ///< its newest snapshot, and what that was made from
        std::int64_t builds = 0;     ///< that the newest snapshot has
        std::int64_t all = 0;        ///< that the series ever had
        TimelineSeries::State last;  ///< the newest snapshot that has any
    };
    std::string asked;           ///< the spec in one spelling
    std::vector<One> series;     ///< those with most builds first; only those that ever had any
    std::int64_t looked_at = 0;  ///< how many series were looked at
    std::vector<std::string> remarks;
};

/// Finds them. `pattern`: for names of series. External specs are no builds. Throws UsageError if
/// the ledger has no such package, or no such series.
WhereUsed where_used(SQLite::Database& database, const SpecQuery& query,
                     const std::string& pattern);

/// The document. Its rows: series, kind, newest, builds, all, last_seen, where.
Document document_of(const WhereUsed& used);

// cover_each() tells which of many snapshots serves best what is wanted. Time follows from how
// often the builds that are wanted came and went, and a plan of what must be built is made where
// the snapshot before has others of them.

/// What is wanted of all snapshots: the specs of lock files, and lines of lists.
struct WantedOfEach {
    std::string name;  ///< as people call it
    WantedGraph graph;
    std::vector<WantedSpec> lines;
    std::int64_t external = 0;  ///< lines that are left out because they are external
    std::string not_read{};     ///< a sentence on what was not read of the lists
};

/// All that is wanted, as one.
WantedOfEach wanted_of_each(const std::vector<WantedInput>& inputs);

/// How much of it each snapshot has.
struct EachSnapshot {
    struct One {
        std::string snapshot, series;
        Moment taken_at = 0;
        CoverageCount runtime;  ///< what is needed to link and to run, and lines
        /// With what it is built with; lines are not planned. nullopt: only lines are wanted.
        std::optional<std::int64_t> to_build;
    };
    std::string wanted;
    std::vector<One> snapshots;  ///< the best first: most of it, then least to build, then newest
    std::vector<std::string> remarks;
};

/// `pattern`: the name of a series, or a pattern for names of snapshots, such as 'develop*'. Lock
/// files of the ledger are no caches. Throws UsageError if no snapshot matches.
EachSnapshot cover_each(SQLite::Database& database, const std::string& pattern,
                        const WantedOfEach& wanted);

/// The document. JSON: {"wanted", "best" (the name of the first), "remarks": [...], "snapshots":
/// [{"snapshot", "series", "taken_at", "percent", "specs", "covered", "builds"}]}, which are also
/// the rows. The picture: the percentages over time, a panel for each series.
Document document_of(const EachSnapshot& each);

}  // namespace cacheledger
