#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/specs/constraints/answer.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// Whether a list such as "build,link" has the word.
bool has_word(std::string_view list, std::string_view word);

/// How one spec depends on another: a row of edge_kinds.
struct DependencyKind {
    std::string deptypes;                 ///< "build,link"
    std::optional<std::string> virtuals;  ///< "c,cxx"; nullopt: not known
    std::uint32_t deptypes_id = 0;        ///< the first kind that has these types
    int since = 0;  ///< the first form of nodes whose hash covers such an edge
    bool is_build = false;
    bool is_runtime = false;  ///< to link or to run

    /// Whether it has all these types.
    bool has_types(const std::vector<std::string>& types) const;
    /// Whether it has one of the types of a list such as "build,link".
    bool has_any_type(std::string_view types) const;
    /// Whether it is for one of these virtual packages, or none is asked.
    Answer is_for_any(const std::vector<std::string>& asked) const;
};

/// The kinds of edges of a ledger, by edge_kind_id. Throws SQLite::Exception, and DatabaseError for
/// a number that no ledger gives.
std::vector<DependencyKind> read_edge_kinds(const SQLite::Database& database);

/// One more than the greatest spec_id of a ledger: how many places arrays by spec_id have. Throws
/// SQLite::Exception, and DatabaseError if a spec has a number that no ledger gives.
std::size_t number_of_places(const SQLite::Database& database);

/// A set of specs: whether each is in it, by spec_id. Its size is SpecGraph::size().
using SpecSet = std::vector<bool>;

/// The specs of a ledger that are external. Throws SQLite::Exception.
SpecSet external_specs(const SQLite::Database& database);

/// Adds a spec. A damaged file may name one that is no place: it is left out, as by a join.
void add_spec(SpecSet& specs, std::int64_t spec_id);
/// Whether a set has a spec, which such a file may name, too.
bool has_spec(const SpecSet& specs, std::int64_t spec_id);

/// The numbers of the specs in a set, in order.
std::vector<std::uint32_t> members(const SpecSet& specs);

/// Calls `read(first, last)` for ranges of numbers that hold all of these specs, which are in
/// order. A range holds others, too, where it takes longer to search for the next spec than to read
/// over them: where that is up to `step` numbers on. Of tables with several rows a spec, 1.
inline constexpr std::uint32_t specs_read_in_a_search = 4;
template <typename Read>
void for_ranges(std::span<const std::uint32_t> specs, const Read& read,
                std::uint32_t step = specs_read_in_a_search) {
    for (std::size_t i = 0; i < specs.size();) {
        const std::uint32_t first = specs[i];
        std::uint32_t last = first;
        while (i < specs.size() && specs[i] - last <= step) {
            last = specs[i++];
        }
        read(first, last);
    }
}
template <typename Read>
void for_ranges(const SpecSet& specs, const Read& read) {
    for_ranges(std::span<const std::uint32_t>(members(specs)), read);
}

/// All dependencies of a ledger in memory, for questions that follow them from spec to spec.
///
/// A node is a spec, known by its spec_id: SQLite gives these from 1 on without gaps worth the
/// name, so they are places in arrays. An edge is a row of `dependency`: it leads down, from a spec
/// to what that needs, and has a kind, the edge_kind_id. One spec can need another by several
/// edges. The ledger keeps dependencies once, whatever snapshots have the two specs: what a
/// snapshot has is a SpecSet, not a graph of its own. A spec of which no source gave the
/// dependencies has the form 0 and no edges.
///
/// The edges of a node lie together, in order of dependency_id; an array of offsets says where they
/// begin. The same again, turned around, is made when dependents are first asked for. A file that
/// lies can have circles, so a walk marks what it met.
///
/// Reading all takes 0.2 us an edge, nearly all of it in SQLite: 0.6 s for 3 million edges of
/// 430,000 specs, which 120 daily states of 65,000 specs make. So a question about snapshots reads
/// what these have and need: 0.1 s for 65,000 specs and 450,000 edges. (The primary key of
/// `dependency` begins with spec_id: what lies together is read in one scan.) An edge takes 8 bytes
/// each way, and turning the edges around 10 ns for each.
class SpecGraph {
  public:
    /// One end of an edge, and its kind.
    struct Edge {
        std::uint32_t spec = 0;  ///< the dependency, or the dependent
        std::uint32_t kind = 0;  ///< a place in kinds()
    };

    /// Reads all of the ledger. Throws what number_of_places() throws.
    explicit SpecGraph(const SQLite::Database& database);
    /// Reads these specs and what they need.
    SpecGraph(const SQLite::Database& database, const SpecSet& starts);
    /// Reads further specs and what they need, as far as they were not read. The ledger must be as
    /// it was. What dependencies() and dependents() gave before is no longer good.
    void add(const SQLite::Database& database, const SpecSet& starts);
    /// Reads the other way: what needs these specs, and what needs that, if it does so over edges
    /// that `leads_on(kind)` takes. Only for dependents(): nothing else of its nodes is read.
    template <typename LeadsOn>
    static SpecGraph above(const SQLite::Database& database, const SpecSet& starts,
                           const LeadsOn& leads_on) {
        SpecGraph graph(database, starts.size());
        for (const DependencyKind& kind : graph.kinds_) {
            graph.leads_on_.push_back(leads_on(kind));
        }
        graph.read_above(database, starts);
        return graph;
    }

    /// One more than the greatest spec_id.
    std::size_t size() const { return forms_.size(); }
    const std::vector<DependencyKind>& kinds() const { return kinds_; }
    /// The form of the node (the version of its specfile); 0: no source gave its dependencies.
    std::uint8_t form(std::size_t spec) const { return forms_[spec]; }

    std::span<const Edge> dependencies(std::size_t spec) const { return down_.of(spec); }
    std::span<const Edge> dependents(std::size_t spec) const;

    /// Whether the hash of the spec covers the edge.
    bool is_hashed(std::size_t spec, const Edge& edge) const {
        return kinds_[edge.kind].since <= forms_[spec];
    }
    bool is_runtime(const Edge& edge) const { return kinds_[edge.kind].is_runtime; }
    /// For walks: which edges to follow.
    auto hashed() const {
        return [this](std::uint32_t spec, const Edge& edge) { return is_hashed(spec, edge); };
    }
    auto runtime() const {
        return [this](std::uint32_t, const Edge& edge) { return is_runtime(edge); };
    }
    static auto all_edges() {
        return [](std::uint32_t, const Edge&) { return true; };
    }

    SpecSet no_specs() const { return SpecSet(size()); }

  private:
    /// The edges of each node lie together, at these places.
    struct Edges {
        struct Range {
            std::uint32_t first = 0, last = 0;
        };
        std::vector<Range> ranges;  // by node
        std::vector<Edge> edges;
        std::span<const Edge> of(std::size_t spec) const {
            return {edges.data() + ranges[spec].first, edges.data() + ranges[spec].last};
        }
    };
    SpecGraph(const SQLite::Database& database, std::size_t size);
    void read_above(const SQLite::Database& database, const SpecSet& starts);
    using EdgeRows = Select<std::int64_t, std::int64_t, std::int64_t>;  // from, to, kind
    std::vector<std::uint32_t> read(const EdgeRows& rows, Edges& all, const SpecSet& starts);
    void add_rows(const Rows<std::int64_t, std::int64_t, std::int64_t>& rows, Edges& all,
                  const SpecSet& wanted) const;

    std::vector<DependencyKind> kinds_;
    std::vector<bool> leads_on_;  // by kind: whether what such an edge leads to is read, too
    std::vector<std::uint8_t> forms_;
    SpecSet is_read_;
    Edges down_;
    mutable Edges up_;  // empty until dependents are asked for
};

/// Calls `found` with each spec that `starts` reach, once, and not with these themselves unless one
/// leads to another. `edges_of(spec)` gives the edges to follow, `follows(spec, edge)` says whether
/// to. What is in `met` is not entered; what is reached is added to it.
template <typename EdgesOf, typename Follows, typename Found>
void walk(std::vector<std::uint32_t> starts, SpecSet& met, const EdgesOf& edges_of,
          const Follows& follows, const Found& found) {
    std::vector<std::uint32_t>& open = starts;
    while (!open.empty()) {
        const std::uint32_t spec = open.back();
        open.pop_back();
        for (const SpecGraph::Edge& edge : edges_of(spec)) {
            if (!met[edge.spec] && follows(spec, edge)) {
                met[edge.spec] = true;
                found(edge.spec);
                open.push_back(edge.spec);
            }
        }
    }
}

/// The specs, and what they need over edges that `follows(spec, edge)` takes.
template <typename Follows>
SpecSet with_dependencies(const SpecGraph& graph, SpecSet specs, const Follows& follows) {
    walk(
        members(specs), specs, [&](std::uint32_t spec) { return graph.dependencies(spec); },
        follows, [](std::uint32_t) {});
    return specs;
}

/// The specs, and what needs them over edges that `follows(spec, edge)` takes; the edge names the
/// dependent.
template <typename Follows>
SpecSet with_dependents(const SpecGraph& graph, SpecSet specs, const Follows& follows) {
    walk(
        members(specs), specs, [&](std::uint32_t spec) { return graph.dependents(spec); }, follows,
        [](std::uint32_t) {});
    return specs;
}

/// The specs that any snapshot has, also as roots. Throws what number_of_places() throws.
SpecSet listed_by_snapshots(const SQLite::Database& database);

/// These, and what they need, directly or not. Throws what number_of_places() throws.
SpecSet needed_by_snapshots(const SQLite::Database& database);

}  // namespace cacheledger
