#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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

}  // namespace cacheledger
