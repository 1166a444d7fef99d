#include "reports/engine/reasons/spread.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "schema/ledger/graph/needed_by.hpp"

namespace cacheledger {

namespace {

// Reasons are counted in blocks, so that memory does not grow with their number.
constexpr std::size_t words_of_block = 8;
constexpr std::size_t reasons_of_block = words_of_block * 64;

/// A set of the reasons of one block.
struct ReasonBlock {
    std::array<std::uint64_t, words_of_block> words{};

    ReasonBlock& operator|=(const ReasonBlock& other) {
        for (std::size_t word = 0; word < words_of_block; ++word) {
            words[word] |= other.words[word];
        }
        return *this;
    }
    bool operator==(const ReasonBlock&) const = default;
};

/// The reasons of one block that are below each node, by its place in the order.
std::vector<ReasonBlock> spread(const std::vector<ReasonNode>& nodes, const NeedOrder& order,
                                std::size_t first_reason) {
    std::vector<ReasonBlock> sets(nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const std::size_t reason = nodes[i].reason.value_or(0) - first_reason;
        if (nodes[i].reason && reason < reasons_of_block) {
            sets[order.place(i)].words[reason / 64] |= std::uint64_t{1} << reason % 64;
        }
    }
    order.gather(sets);
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
void for_each_reason(const ReasonBlock& set, const Act& act) {
    for (std::size_t word = 0; word < words_of_block; ++word) {
        for (std::uint64_t bits = set.words[word]; bits != 0; bits &= bits - 1) {
            act(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
        }
    }
}

}  // namespace

std::vector<ReasonCount> count_reasons(const std::vector<ReasonNode>& nodes) {
    const auto order_of = [&](const auto& counts) {
        return NeedOrder(std::vector<bool>(nodes.size(), true),
                         [&](std::uint32_t node, const auto& add) {
                             if (counts(nodes[node])) {
                                 std::ranges::for_each(nodes[node].below, add);
                             }
                         });
    };
    const NeedOrder ways = order_of([](const ReasonNode& node) { return node.goes_on; });
    const NeedOrder any_ways = order_of([](const ReasonNode&) { return true; });
    std::vector<std::uint32_t> explained;
    std::size_t num_reasons = 0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].is_explained) {
            explained.push_back(i);
        }
        num_reasons = std::max(num_reasons, nodes[i].reason ? *nodes[i].reason + 1 : 0);
    }
    std::ranges::sort(explained, {}, [&](std::uint32_t i) { return nodes[i].package; });
    std::vector<ReasonCount> all(num_reasons);
    std::map<std::pair<std::int64_t, std::uint64_t>, std::size_t> firsts;  // by size and set
    for (std::size_t first = 0; first < num_reasons; first += reasons_of_block) {
        std::vector<Count> counts(reasons_of_block);
        const auto because = spread(nodes, ways, first);
        const auto reached = spread(nodes, any_ways, first);
        for (const std::uint32_t i : explained) {
            const std::uint32_t package = nodes[i].package;
            for_each_reason(because[ways.place(i)],
                            [&](std::size_t reason) { counts[reason].add(i, package); });
            for_each_reason(reached[any_ways.place(i)],
                            [&](std::size_t reason) { ++counts[reason].reach; });
        }
        for (std::size_t reason = first; reason < std::min(num_reasons, first + reasons_of_block);
             ++reason) {
            const Count& count = counts[reason - first];
            const auto same = firsts.try_emplace({count.specs, count.set}, reason).first;
            all[reason] = {count.specs, count.packages, count.reach, same->second};
        }
    }
    return all;
}

}  // namespace cacheledger
