#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/timeline/timeline.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/specs/matching/difference.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// What a spec needs directly.
struct CachedDependencies {
    struct One {
        std::string package;
        int since = 1;  ///< the first form of nodes in which it is part of the hash
    };
    int form = 0;  ///< of the node that needs them
    std::map<std::string, One> by_hash;
};

/// What a cache has at one moment, or several together.
class CachedBuilds {
  public:
    /// `then`: the caches that are asked for what those before them do not have, in this order.
    CachedBuilds(SQLite::Database& database, const Snapshot& snapshot,
                 const std::vector<Snapshot>& then = {});

    /// How many caches there are.
    std::size_t size() const { return snapshot_ids_.size(); }

    /// Whether the cache of this number, from 0 on, has a spec with this hash.
    bool has(std::size_t cache, const std::string& hash);

    /// What differs from the build of that package that comes nearest; nullopt if none has one. Ask
    /// for the specs of one package one after the other.
    std::optional<Difference> nearest(const SpecWords& wanted);

    /// The specs that the one with this hash needs directly. nullopt if no source says so.
    std::optional<CachedDependencies> dependencies(const std::string& hash);

    /// The node forms of its specs, as far as they are known.
    std::set<int> forms();

  private:
    void read(const std::string& package);

    SQLite::Database& database_;
    std::vector<std::int64_t> snapshot_ids_;
    Select<bool> has_;
    Select<std::int64_t, std::string> builds_;
    Select<int> form_;
    Select<std::string, std::string, int> dependencies_;
    SpecReader words_;
    std::optional<std::string> package_;  // that of `of_package_`
    std::vector<SpecWords> of_package_;  // of builds that differ in nothing but the hash, the first
};

/// The builds that link to or run what the index of their mirror lists and the mirror has no file
/// of, directly or not: they can't be installed from it. Each with that: "zlib@1.3".
std::map<std::int64_t, std::string> builds_that_lack_something(SQLite::Database& database,
                                                               const Snapshot& snapshot);

/// Sentences on the indexes of caches that disagree with the files of their mirrors.
std::vector<std::string> remarks_on_mirrors(SQLite::Database& database, const Snapshot& snapshot,
                                            const std::vector<Snapshot>& then = {});

/// The hash of the archive that is fetched for a row of Coverage::there.
std::string archive_of(const Coverage& coverage, const std::vector<Value>& row);

/// The sizes of these archives, each once, by what the ledger knows, and by `found`, which counts
/// first: bytes, by hash.
ToFetch size_to_fetch(const SQLite::Database& database, const Coverage& coverage,
                      const std::map<std::string, std::uint64_t>& found);

/// What the column `seen` says of a build that no snapshot has.
inline constexpr const char* never_seen = "never seen";

/// Says of what is missing when other snapshots had it: fills the last columns of
/// Coverage::missing, and Coverage::past. Nothing where the ledger has only one snapshot.
class SeenBefore {
  public:
    /// `coverage` has all columns but those.
    SeenBefore(SQLite::Database& database, Coverage& coverage);

    /// Adds the values to rows of Coverage::missing. `is_counted`: people are shown it.
    void add(std::vector<Value>& row, const WantedNode& node, bool is_counted);
    void add(std::vector<Value>& row, const WantedSpec& line);

    /// Sets Coverage::better if another snapshot has more of what the graph needs to link and to
    /// run. `needed`: that, by node.
    void compare(const WantedGraph& wanted, const std::vector<bool>& needed);
    /// The same of a list that asks for hashes only.
    void compare(const std::vector<WantedSpec>& lines);

    /// Sets Coverage::past, once all is added.
    void finish();

  private:
    bool has_more_to_find() const;
    void compare(const std::vector<std::vector<Stretch>>& of_builds);
    void add(std::vector<Value>& row, const std::vector<Stretch>& stretches, bool is_counted);

    Coverage& coverage_;
    BuildsOfLines builds_of_lines_;
    std::optional<Timeline> timeline_;  // if there are several snapshots
    std::int64_t now_ = 0, before_ = 0, never_ = 0;
    std::string words_;  // of the one that was counted last
};

}  // namespace cacheledger
