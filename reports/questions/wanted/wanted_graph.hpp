#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/specs/matching/match.hpp"

namespace cacheledger {

struct WantedEdge {
    std::uint32_t child = 0;  ///< index into WantedGraph::nodes
    bool is_runtime = false;  ///< it is needed to link or to run, and not only to build or to test
    bool is_build = false;    ///< it is needed to build
    int since = 1;            ///< the first form of nodes in which it is part of the hash
};

struct WantedNode {
    SpecWords spec;
    std::optional<int> form;  ///< 1 to 6; nullopt: no source says what it needs
    std::vector<WantedEdge> needs;

    bool is_external() const { return spec.external && *spec.external != "no"; }
};

/// What is asked for itself.
struct WantedRoot {
    std::uint32_t node = 0;              ///< index into WantedGraph::nodes
    std::string text{};                  ///< as the user wrote it; empty: not known
    std::optional<std::string> group{};  ///< of roots, if the file names one
};

/// What somebody wants a cache to have: the specs of a lock file or of an install database, with
/// what they need.
struct WantedGraph {
    std::string name;  ///< the file or the snapshot, as messages call it
    std::vector<WantedNode> nodes;
    std::vector<WantedRoot> roots;
};

/// A text file of specs: a list, or a spack.yaml.
struct WantedList {
    std::string name;  ///< as messages call it
    SpecList specs;
};

/// What a user wants a cache to have: a lock file, an install database, a snapshot of one, a list,
/// or a spack.yaml.
using WantedInput = std::variant<WantedGraph, WantedList>;

/// What a snapshot of the ledger wants: the roots of a lock file, or all specs of any other
/// snapshot, and what these need.
WantedGraph wanted_of_snapshot(SQLite::Database& database, const Snapshot& snapshot);

/// What any of the graphs wants, each spec once by its hash, with all dependencies that one of them
/// gives.
WantedGraph merged_graph(const std::string& name, const std::vector<const WantedGraph*>& graphs);

/// Which dependencies count.
enum class Needs : std::uint8_t {
    runtime,  ///< to link and to run
    all,      ///< also to build and to test
};

/// How many of the wanted specs a cache has.
struct CoverageCount {
    std::int64_t specs = 0;
    std::int64_t covered = 0;

    /// 100 where nothing is wanted.
    double percent() const;
};

/// "96.6 %". Cut, not rounded: only what is complete is 100.0 %.
std::string percent_text(double percent);

/// "2 external specs are left out."; nothing where there are none.
std::optional<std::string> remark_on_external(std::int64_t external);

/// What the roots of a graph need, and what of it is missing. Each vector has one value for each
/// node.
struct WantedClosure {
    std::vector<bool> wanted;    ///< a root, or one needs it, directly or not; not external
    std::vector<bool> missing;   ///< wanted, and not there
    std::vector<bool> frontier;  ///< missing, and needs nothing that is missing, directly or not
    std::vector<std::int64_t> dependents;  ///< of missing ones: how many wanted others need it

    std::int64_t num_external = 0;  ///< reached, and external

    std::int64_t num_wanted() const;
    std::int64_t num_missing() const;
    CoverageCount count() const { return {num_wanted(), num_wanted() - num_missing()}; }
};

/// `is_there`: whether the cache has each node. What an external spec needs is wanted, too.
WantedClosure close_over(const WantedGraph& graph, const std::vector<bool>& is_there, Needs needs);

/// What must be built so that all roots of a graph are there, and in which order. What is there
/// needs what it links and runs; what is missing needs what it is built with, too. External specs
/// need nothing.
struct BuildPlan {
    struct Step {
        std::uint32_t node = 0;
        std::uint32_t wave = 0;  ///< from 1 on; it needs only what is there or in earlier waves
    };
    std::vector<Step> steps;  ///< by wave, package and hash
};

/// `is_there`: whether the cache has each node.
BuildPlan plan_builds(const WantedGraph& graph, const std::vector<bool>& is_there);

/// Builds of which each needs the one before it, directly or through what is there.
struct BuildChain {
    std::vector<std::uint32_t> nodes;  ///< in building order
    std::int64_t milliseconds = 0;     ///< of all together
};

/// The chain of builds of a plan that takes longest: with any number of machines, all takes at
/// least so long. `milliseconds`: of each node; 0 where it is not known. No chain where all are 0.
BuildChain longest_chain(const WantedGraph& graph, const std::vector<bool>& is_there,
                         const std::vector<std::int64_t>& milliseconds);

/// What is told apart: each root, or each group of roots.
enum class RootsBy : std::uint8_t { root, group };

/// How much of a root, or of a group of roots, is there.
struct RootCoverage {
    std::string name;  ///< the root as the user wrote it, else its package and version; the group,
                       ///< empty for roots that are in none
    std::string hash;  ///< of the root; empty for a group
    std::int64_t roots = 1;
    CoverageCount runtime;           ///< what it needs to link and to run
    std::int64_t to_build = 0;       ///< what must be built for it
    std::int64_t alone = 0;          ///< of these, what no other one needs
    std::vector<std::string> first;  ///< packages of these that can be built at once, by name
};

/// Those that lack most come first. `is_there`: whether the cache has each node. Time follows from
/// the edges of the graph for each root.
std::vector<RootCoverage> cover_by(WantedGraph graph, const std::vector<bool>& is_there,
                                   RootsBy by);

/// What at least half of the builds of a plan have in common, if it made their hashes differ: one
/// dependency that is another one in the cache, or a system, target or compiler that no build in
/// the cache has.
struct RootCause {
    /// package, change (from what is wanted to what the cache has), builds (of the plan). One row
    /// for each of several dependencies that the same builds need. `package` is NULL if each build
    /// itself is for that system; then all such builds of the plan count.
    ResultTable causes{{"package", "change", "builds"}, {}};
    /// "All 50 must be built because of gcc (external: /usr -> /opt/site2/gcc)."
    std::optional<std::string> sentence{};
};

/// Compares what the plan builds, and all that it needs, with what the snapshot has or needs. Finds
/// nothing for plans of one build.
RootCause root_cause_of(SQLite::Database& database, const Snapshot& snapshot,
                        const WantedGraph& wanted, const BuildPlan& plan);

}  // namespace cacheledger
