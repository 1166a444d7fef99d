#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/engine/present/listed_graph.hpp"
#include "reports/engine/present/spec_facts.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/engine/compared, compiled in.
extern const std::span<const EmbeddedText> compared_texts;

/// A spec that only the later side has, and whether it is to be explained.
struct AskedSpec {
    std::uint32_t spec = 0;
    std::string cause;        ///< a cause of stack_drift
    bool is_rebuilt = false;  ///< nothing that it shows of itself is new, but for its compiler
};

/// What is asked of two sides.
struct Asked {
    std::vector<AskedSpec> specs;    ///< by spec_id
    bool lists_only_cached = false;  ///< the earlier side is made from pages, which list what is in
                                     ///< the cache
};

/// What is asked between two snapshots. `arguments`: `from`, `to`, `stack` and `package` of the
/// report drift/why, for which the connection has the view stack_drift. Throws what run_query()
/// throws.
Asked asked_between_snapshots(const SQLite::Database& database, const Arguments& arguments);
/// Between two specs: why the later one is not the earlier one.
Asked asked_between_specs(const ListedGraph& listed);

/// New nodes, and the earlier ones that each is compared with: those of the same group, which is
/// their package (between two specs: a pair of builds, pairs.hpp).
///
/// A graph is the specs of one side and all they need over edges that their hashes cover, so a hash
/// has the same nodes below it wherever it is. A node is new if the graph of the earlier side does
/// not have it. Where nobody knows, it is neither new nor an earlier one to compare with: pages
/// list what is in the cache, and a node that they do not list is
///   new      if the later side lists it, or what only that side lists needs it to link or to run:
///            a cache keeps these
///   unknown  if it is only needed to build, which a cache need not keep; and if it is external,
///            which no cache keeps
///
/// Of the new nodes, only those that matter are here: the specs to explain, and both ends of each
/// edge between new nodes. Another one neither has a reason nor is one.
struct Compared {
    struct NewNode {
        std::int64_t id = 0;  ///< the spec_id; another number for a further pair of the spec
        std::uint32_t spec = 0;
        std::uint32_t group = 0;
        std::optional<std::int64_t> depth{};  ///< between two specs: how far below them
        std::vector<std::uint32_t> below{};   ///< places of the new nodes that it depends on
    };
    struct Earlier {
        std::uint32_t spec = 0;
        std::uint32_t group = 0;
        bool is_gone = false;  ///< the graph of the later side does not have it
    };
    std::vector<NewNode> nodes;  ///< by id
    std::vector<Earlier> earlier;
    SpecSet is_new;  ///< all new nodes, also those that do not matter
};

/// `reading` gets the facts of both graphs. Throws SQLite::Exception.
Compared compare_sides(const SQLite::Database& database, const ListedGraph& listed,
                       const Asked& asked, SpecReading& reading);

}  // namespace cacheledger
