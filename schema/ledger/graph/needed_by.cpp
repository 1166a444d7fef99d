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

std::vector<NeededBy> count_needed_by(const NeedOrder& order,
                                      std::span<const std::vector<std::uint32_t>> groups,
                                      std::span<const std::vector<std::uint32_t>> users) {
    std::vector<NeededBy> counted(groups.size());
    std::vector<GroupBits> needs;
    for (std::size_t first = 0; first < groups.size(); first += groups_at_once) {
        const std::size_t count = std::min(groups_at_once, groups.size() - first);
        needs.assign(order.specs().size(), 0);
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
