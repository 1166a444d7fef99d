#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/spelling/dag_hash.hpp"

namespace cacheledger {

/// Numbers by hash, most of them of nodes in a list. A tenth of the time of reading indexes goes
/// without std::unordered_map, whose entries lie all over the memory.
class HashTable {
  public:
    std::optional<std::uint32_t> find(const DagHash& hash) const {
        if (slots_.empty()) {
            return std::nullopt;
        }
        const Slot& slot = slots_[place(hash)];
        return slot.number == free ? std::nullopt : std::optional(slot.number);
    }

    /// The number of the hash, which is `number` where it had none, and whether it had none.
    std::pair<std::uint32_t, bool> emplace(const DagHash& hash, std::uint32_t number) {
        if (2 * (size_ + 1) > slots_.size()) {
            grow();
        }
        Slot& slot = slots_[place(hash)];
        const bool is_new = slot.number == free;
        if (is_new) {
            slot = {hash, number};
            ++size_;
        }
        return {slot.number, is_new};
    }

  private:
    static constexpr std::uint32_t free = ~std::uint32_t{0};
    struct Slot {
        DagHash hash{};
        std::uint32_t number = free;
    };

    std::size_t place(const DagHash& hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = std::hash<std::string_view>()(text_of(hash)) & mask;
        while (slots_[at].number != free && slots_[at].hash != hash) {
            at = (at + 1) & mask;
        }
        return at;
    }

    void grow() {
        constexpr std::size_t first_size = 16;
        const std::vector<Slot> before = std::exchange(
            slots_, std::vector<Slot>(slots_.empty() ? first_size : 2 * slots_.size()));
        for (const Slot& slot : before) {
            if (slot.number != free) {
                slots_[place(slot.hash)] = slot;
            }
        }
    }

    std::vector<Slot> slots_;  // a power of two
    std::size_t size_ = 0;
};

}  // namespace cacheledger
