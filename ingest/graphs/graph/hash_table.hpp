#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// Values by DAG hash. It replaces std::unordered_map, which allocates memory for each entry and
/// misses the CPU cache twice as often: a tenth of the time of reading indexes, and a twelfth of
/// that of reading pages. The hash is keyed: what an index calls a hash can be any text.
template <typename Value>
class HashTable {
  public:
    /// Null where there is none. Valid until the next emplace().
    const Value* find(const DagHash& hash) const {
        if (slots_.empty()) {
            return nullptr;
        }
        const std::uint32_t number = slots_[place(hash, hashed_(hash))].number;
        return number == 0 ? nullptr : &entries_[number - 1].second;
    }
    Value* find(const DagHash& hash) { return const_cast<Value*>(std::as_const(*this).find(hash)); }

    /// The value of the hash, which is `value` where it had none, and whether it had none.
    std::pair<Value&, bool> emplace(const DagHash& hash, const Value& value) {
        if (slots_.size() < 2 * (entries_.size() + 1)) {
            grow();
        }
        const std::uint64_t hashed = hashed_(hash);
        Slot& slot = slots_[place(hash, hashed)];
        const bool is_new = slot.number == 0;
        if (is_new) {
            entries_.emplace_back(hash, value);
            slot = {static_cast<std::uint32_t>(entries_.size()), mark_of(hashed)};
        }
        return {entries_[slot.number - 1].second, is_new};
    }

    std::size_t size() const { return entries_.size(); }

    /// Makes room for so many.
    void reserve(std::size_t size) {
        entries_.reserve(size);
        while (slots_.size() < 2 * (size + 1)) {
            grow();
        }
    }

  private:
    // The number of an entry, and part of its hash: most other entries differ in this part and need
    // not be read.
    struct Slot {
        std::uint32_t number = 0;  // from 1; 0: the slot is free
        std::uint32_t mark = 0;
    };

    static std::uint32_t mark_of(std::uint64_t hashed) {
        return static_cast<std::uint32_t>(hashed >> 32U);
    }

    // The slot with the hash, or the free one where it belongs.
    std::size_t place(const DagHash& hash, std::uint64_t hashed) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hashed & mask;
        while (slots_[at].number != 0 && (slots_[at].mark != mark_of(hashed) ||
                                          entries_[slots_[at].number - 1].first != hash)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    void grow() {
        constexpr std::size_t first_size = 16;
        slots_ = std::vector<Slot>(slots_.empty() ? first_size : 2 * slots_.size());
        const std::size_t mask = slots_.size() - 1;
        std::uint32_t number = 0;
        for (const auto& [hash, value] : entries_) {
            const std::uint64_t hashed = hashed_(hash);
            std::size_t at = hashed & mask;
            while (slots_[at].number != 0) {
                at = (at + 1) & mask;
            }
            slots_[at] = {++number, mark_of(hashed)};
        }
    }

    std::vector<std::pair<DagHash, Value>> entries_;
    std::vector<Slot> slots_;  // their number is a power of two; at most half are taken
    KeyedHash hashed_;
};

}  // namespace cacheledger
