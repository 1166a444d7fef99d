#include "reports/engine/reasons/spread.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// Reasons are counted in blocks, so that memory does not grow with their number.
constexpr std::size_t words_of_block = 8;
constexpr std::size_t reasons_of_block = words_of_block * 64;

/// A set of the reasons of one block.
using Reasons = std::array<std::uint64_t, words_of_block>;

/// Adds `more` to `set`. Returns whether the set grew.
bool add(Reasons& set, const Reasons& more) {
    std::uint64_t grown = 0;
    for (std::size_t word = 0; word < words_of_block; ++word) {
        grown |= more[word] & ~set[word];
        set[word] |= more[word];
    }
    return grown != 0;
}

constexpr std::size_t no_reason = static_cast<std::size_t>(-1);

struct NewNode {
    std::int64_t id = 0;
    std::int64_t package = 0;
    bool goes_on = false;
    bool is_explained = false;
    std::size_t reason = no_reason;           // counted from 0
    std::vector<std::uint32_t> dependencies;  // new ones
};

/// The new nodes, dependencies first.
class NewGraph {
  public:
    explicit NewGraph(const SQLite::Database& database) {
        SQLite::Statement nodes(
            database,
            "SELECT n.new_id, n.package_id, n.goes_on, x.spec_id IS NOT NULL, "
            "ifnull(r.reason_id, 0) FROM why_new n LEFT JOIN why_explained x ON x.spec_id = "
            "n.new_id LEFT JOIN why_reason r USING (new_id) ORDER BY n.new_id");
        while (nodes.executeStep()) {
            NewNode node;
            node.id = nodes.getColumn(0).getInt64();
            node.package = nodes.getColumn(1).getInt64();
            node.goes_on = nodes.getColumn(2).getInt() != 0;
            node.is_explained = nodes.getColumn(3).getInt() != 0;
            node.reason = static_cast<std::size_t>(nodes.getColumn(4).getInt64()) - 1;
            num_reasons_ =
                node.reason == no_reason ? num_reasons_ : std::max(num_reasons_, node.reason + 1);
            nodes_.push_back(std::move(node));
        }
        SQLite::Statement edges(database,
                                "SELECT new_id, dependency_id FROM why_new_edge ORDER BY new_id");
        while (edges.executeStep()) {
            nodes_[position(edges.getColumn(0).getInt64())].dependencies.push_back(
                position(edges.getColumn(1).getInt64()));
        }
        sort();
    }

    const std::vector<NewNode>& nodes() const { return nodes_; }
    /// The positions of the nodes, each after its dependencies (but for circles).
    const std::vector<std::uint32_t>& order() const { return order_; }
    std::size_t num_reasons() const { return num_reasons_; }

  private:
    std::uint32_t position(std::int64_t id) const {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(nodes_, id, {}, &NewNode::id) -
                                          nodes_.begin());
    }

    void sort() {
        std::vector<bool> seen(nodes_.size());
        std::vector<std::pair<std::uint32_t, std::size_t>> path;  // a node, its next dependency
        for (std::uint32_t start = 0; start < nodes_.size(); ++start) {
            if (seen[start]) {
                continue;
            }
            seen[start] = true;
            path.emplace_back(start, 0);
            while (!path.empty()) {
                auto& [node, next] = path.back();
                if (next == nodes_[node].dependencies.size()) {
                    order_.push_back(node);
                    path.pop_back();
                } else if (const auto child = nodes_[node].dependencies[next++]; !seen[child]) {
                    seen[child] = true;
                    path.emplace_back(child, 0);
                }
            }
        }
    }

    std::vector<NewNode> nodes_;
    std::vector<std::uint32_t> order_;
    std::size_t num_reasons_ = 0;
};

/// The reasons of one block that each node has: only through nodes with goes_on, or through
/// any.
std::vector<Reasons> spread(const NewGraph& graph, std::size_t first_reason, bool reasons_only) {
    std::vector<Reasons> sets(graph.nodes().size());
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const std::size_t reason = graph.nodes()[i].reason - first_reason;
        if (graph.nodes()[i].reason != no_reason && reason < reasons_of_block) {
            sets[i][reason / 64] |= std::uint64_t{1} << reason % 64;
        }
    }
    // One pass fills all sets. Only a file that lies has a circle, and needs more.
    for (bool grown = true; grown;) {
        grown = false;
        for (const std::uint32_t i : graph.order()) {
            if (!reasons_only || graph.nodes()[i].goes_on) {
                for (const std::uint32_t child : graph.nodes()[i].dependencies) {
                    grown = add(sets[i], sets[child]) || grown;
                }
            }
        }
    }
    return sets;
}

struct Count {
    std::int64_t specs = 0, packages = 0, reach = 0;
    std::int64_t last_package = 0;
    std::uint64_t set = 0;  // tells the set of specs from others

    void add(std::uint32_t spec, std::int64_t package) {
        ++specs;
        packages += last_package == package ? 0 : 1;
        last_package = package;
        set ^= spread_bits(spec);
    }

  private:
    // The finalizer of SplitMix64, which maps numbers to random-looking ones. Two sets are taken
    // for one only if the exclusive or of these happens to be the same: 1 in 2^64.
    static std::uint64_t spread_bits(std::uint64_t bits) {
        bits += 0x9e3779b97f4a7c15U;
        bits = (bits ^ bits >> 30U) * 0xbf58476d1ce4e5b9U;
        bits = (bits ^ bits >> 27U) * 0x94d049bb133111ebU;
        return bits ^ bits >> 31U;
    }
};

/// Calls `act` with the number, within the block, of each reason of the set.
template <typename Act>
void for_each_reason(const Reasons& set, const Act& act) {
    for (std::size_t word = 0; word < words_of_block; ++word) {
        for (std::uint64_t bits = set[word]; bits != 0; bits &= bits - 1) {
            act(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
        }
    }
}

}  // namespace

void count_reasons(const SQLite::Database& database) {
    const NewGraph graph(database);
    std::vector<std::uint32_t> explained;
    for (const std::uint32_t i : graph.order()) {
        if (graph.nodes()[i].is_explained) {
            explained.push_back(i);
        }
    }
    std::ranges::sort(explained, {}, [&](std::uint32_t i) { return graph.nodes()[i].package; });
    SQLite::Statement(database, "DROP TABLE IF EXISTS temp.why_count").exec();
    SQLite::Statement(
        database,
        "CREATE TEMP TABLE why_count (reason_id INTEGER PRIMARY KEY, specs INTEGER "
        "NOT NULL, packages INTEGER NOT NULL, reach INTEGER NOT NULL, same_as INTEGER "
        "NOT NULL)")
        .exec();
    SQLite::Statement insert(database, "INSERT INTO why_count VALUES (?, ?, ?, ?, ?)");
    std::map<std::pair<std::int64_t, std::uint64_t>, std::int64_t> firsts;  // by size and set
    for (std::size_t first = 0; first < graph.num_reasons(); first += reasons_of_block) {
        std::vector<Count> counts(reasons_of_block);
        const auto because = spread(graph, first, true);
        const auto reached = spread(graph, first, false);
        for (const std::uint32_t i : explained) {
            const std::int64_t package = graph.nodes()[i].package;
            for_each_reason(because[i],
                            [&](std::size_t reason) { counts[reason].add(i, package); });
            for_each_reason(reached[i], [&](std::size_t reason) { ++counts[reason].reach; });
        }
        for (std::size_t reason = 0; reason < reasons_of_block; ++reason) {
            const Count& count = counts[reason];
            if (count.specs > 0) {
                const auto id = static_cast<std::int64_t>(first + reason + 1);
                const auto same = firsts.emplace(std::pair(count.specs, count.set), id).first;
                run(insert, id, count.specs, count.packages, count.reach, same->second);
            }
        }
    }
}

}  // namespace cacheledger
