#include "schema/ledger/graph/needed_by.hpp"

#include <algorithm>
#include <utility>

namespace cacheledger {

namespace {

using GroupBits = std::uint64_t;  // a set of 64 groups
constexpr std::size_t groups_at_once = 64;

// How many sets have each group. A digit of all 64 numbers is in one word, so a set is added in two
// steps on average, however many groups it has.
class GroupCounts {
  public:
    void add(GroupBits set) {
        for (std::size_t i = 0; set != 0; ++i) {
            if (i == digits_.size()) {
                digits_.push_back(0);
            }
            set &= std::exchange(digits_[i], digits_[i] ^ set);
        }
    }

    std::int64_t of(std::size_t group) const {
        std::int64_t number = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            number |= static_cast<std::int64_t>(digits_[i] >> group & 1U) << i;
        }
        return number;
    }

  private:
    std::vector<GroupBits> digits_;  // the lowest first
};

}  // namespace

// `ends` says where what each node needs ends in below_, which has nodes at first.
void NeedOrder::arrange(const std::vector<bool>& nodes, const std::vector<std::size_t>& ends) {
    const auto begin_of = [&](std::uint32_t node) { return node == 0 ? 0 : ends[node - 1]; };
    std::vector<bool> left = nodes;
    std::vector<std::pair<std::uint32_t, std::size_t>> path;  // a node, the next that it needs
    places_.resize(nodes.size());
    for (std::uint32_t start = 0; start < nodes.size(); ++start) {
        if (!left[start]) {
            continue;
        }
        left[start] = false;
        path.emplace_back(start, begin_of(start));
        while (!path.empty()) {
            auto& [node, next] = path.back();
            if (next == ends[node]) {
                places_[node] = static_cast<std::uint32_t>(nodes_.size());
                nodes_.push_back(node);
                path.pop_back();
            } else if (const std::uint32_t needed = below_[next++]; left[needed]) {
                left[needed] = false;
                path.emplace_back(needed, begin_of(needed));
            }
        }
    }
    std::vector<std::uint32_t> below;
    below.reserve(below_.size());
    for (const std::uint32_t node : nodes_) {
        for (std::size_t i = begin_of(node); i < ends[node]; ++i) {
            below.push_back(places_[below_[i]]);
            has_circle_ = has_circle_ || below.back() >= places_[node];
        }
        ends_.push_back(below.size());
    }
    below_ = std::move(below);
}

std::vector<NeededBy> count_needed_by(const NeedOrder& order,
                                      std::span<const std::vector<std::uint32_t>> groups,
                                      std::span<const std::vector<std::uint32_t>> users) {
    std::vector<NeededBy> counted(groups.size());
    std::vector<GroupBits> needs;
    for (std::size_t first = 0; first < groups.size(); first += groups_at_once) {
        const std::size_t count = std::min(groups_at_once, groups.size() - first);
        needs.assign(order.nodes().size(), 0);
        for (std::size_t i = 0; i < count; ++i) {
            for (const std::uint32_t spec : groups[first + i]) {
                needs[order.place(spec)] |= GroupBits{1} << i;
            }
        }
        order.gather(needs);
        GroupCounts of_users;
        GroupCounts of_classes;
        for (const std::vector<std::uint32_t>& one : users) {
            GroupBits any = 0;
            for (const std::uint32_t user : one) {
                of_users.add(needs[order.place(user)]);
                any |= needs[order.place(user)];
            }
            of_classes.add(any);
        }
        for (std::size_t i = 0; i < count; ++i) {
            counted[first + i] = {of_users.of(i), of_classes.of(i)};
        }
    }
    return counted;
}

}  // namespace cacheledger
