#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
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

    // std::hash of the text takes three times as long.
    static std::size_t mixed(const DagHash& hash) {
        std::array<std::uint64_t, sizeof(DagHash) / sizeof(std::uint64_t)> words{};
        static_assert(sizeof words == sizeof hash);
        std::memcpy(words.data(), hash.data(), sizeof words);
        std::uint64_t value = 0;
        for (const std::uint64_t word : words) {
            value = (value ^ word) * 0x9e3779b97f4a7c15U;
            value ^= value >> 32U;
        }
        return static_cast<std::size_t>(value);
    }

    std::size_t place(const DagHash& hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = mixed(hash) & mask;
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
