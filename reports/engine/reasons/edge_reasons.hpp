#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "reports/engine/compared/compared.hpp"
#include "reports/engine/compared/own_attributes.hpp"
#include "reports/engine/present/spec_facts.hpp"
#include "schema/ledger/graph/spec_graph.hpp"

namespace cacheledger {

/// Why a node is new, itself: a class and what changed (docs/design.md, "Why a spec was rebuilt").
struct OwnReason {
    std::string name;                     ///< the class, such as "edges"
    std::optional<std::string> change{};  ///< "dependency added: zstd"
};

/// Compares the edges of new nodes with those of the earlier nodes that have the same own
/// attributes. Two nodes are compared by the types of edges that both hashes cover.
class EdgeReasons {
  public:
    /// All must live as long as this.
    EdgeReasons(const SpecGraph& graph, SpecReading& reading, const OwnAttributes& own,
                const Compared& compared)
        : graph_(graph), reading_(reading), own_(own), compared_(compared) {}

    /// What a new node, by its place, has otherwise than all earlier ones of the same own
    /// attributes: 'edges', if none depends on the same packages in the same way; nothing, if
    /// something below it is new; else, in this order, what each of those has otherwise: the
    /// builds that it uses or the virtuals ('edges'), the features of the target
    /// ('target-definition'), the era of the hash ('hash-definition'). 'unexplained' if one of them
    /// is like it in all of this. Throws SQLite::Exception.
    std::optional<OwnReason> of(std::size_t node);

    /// What differs in the edges of two specs; nullopt if nothing does.
    std::optional<std::string> difference(std::uint32_t now, std::uint32_t before);

  private:
    /// An earlier node to compare with.
    struct Earlier {
        std::uint32_t spec = 0;
        bool is_gone = false;
    };
    struct Comparison;
    using Kind = std::uint64_t;  // of an edge: the package that it leads to, and its types

    std::uint8_t level(std::uint32_t spec) const;
    std::vector<Earlier> same_as(std::size_t node) const;
    std::uint32_t edges_of(std::uint32_t spec, std::uint8_t level);
    bool has_like(std::size_t node);
    Earlier first_of(const std::vector<Earlier>& earlier);
    Comparison compare(std::uint32_t now, std::uint32_t before);
    OwnReason told_last(std::size_t node);
    std::optional<std::string> packages_that_differ(std::uint32_t now, std::uint32_t before,
                                                    std::uint8_t level, bool by_virtuals);
    std::string builds_that_differ(std::uint32_t now, std::uint32_t before, std::uint8_t level);
    std::optional<std::string> edges_text(std::uint32_t now, std::uint32_t before);

    const SpecGraph& graph_;
    SpecReading& reading_;
    const OwnAttributes& own_;
    const Compared& compared_;
    std::unordered_map<std::string, std::uint32_t> numbers_;                 // of sets of edges
    std::map<std::pair<std::uint32_t, std::uint8_t>, std::uint32_t> edges_;  // by spec and level
    // By the place of own attributes, the level of earlier nodes that have them, and the level at
    // which these are compared.
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>,
             std::unordered_set<std::uint32_t>>
        earlier_edges_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<std::string>> texts_;
};

}  // namespace cacheledger
