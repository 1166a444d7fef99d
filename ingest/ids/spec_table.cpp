#include "ingest/ids/spec_table.hpp"

#include <cstring>
#include <utility>

namespace cacheledger {

namespace {

constexpr std::size_t fewest_slots = 1024;

// The first characters of a DAG hash are as random as all of them.
std::uint64_t mixed(const DagHash& hash) {
    std::uint64_t start = 0;
    std::memcpy(&start, hash.data(), sizeof start);
    start *= 0x9e3779b97f4a7c15U;
    return start ^ (start >> 29U);
}

std::uint32_t mark_of(std::uint64_t mixed) {
    return static_cast<std::uint32_t>(mixed >> 32U);
}

}  // namespace

void SpecTable::insert(const DagHash& hash, const KnownSpec& spec) {
    if (slots_.size() < 2 * (entries_.size() + 1)) {
        grow();
    }
    entries_.push_back({hash, spec});
    place(hash, static_cast<std::uint32_t>(entries_.size()));
}

void SpecTable::place(const DagHash& hash, std::uint32_t number) {
    const std::uint64_t key = mixed(hash);
    std::size_t slot = key & (slots_.size() - 1);
    while (slots_[slot].number != 0) {
        slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = {number, mark_of(key)};
}

void SpecTable::grow() {
    slots_ = std::vector<Slot>(slots_.empty() ? fewest_slots : 2 * slots_.size());
    std::uint32_t number = 0;
    for (const Entry& entry : entries_) {
        place(entry.hash, ++number);
    }
}

template <typename Matches>
const KnownSpec* SpecTable::find_where(const DagHash& hash, Matches matches) const {
    if (slots_.empty()) {
        return nullptr;
    }
    const std::uint64_t key = mixed(hash);
    std::size_t slot = key & (slots_.size() - 1);
    for (; slots_[slot].number != 0; slot = (slot + 1) & (slots_.size() - 1)) {
        if (slots_[slot].mark == mark_of(key)) {
            const Entry& entry = entries_[slots_[slot].number - 1];
            if (entry.hash == hash && matches(entry.spec)) {
                return &entry.spec;
            }
        }
    }
    return nullptr;
}

const KnownSpec* SpecTable::find(const DagHash& hash) const {
    return find_where(hash, [](const KnownSpec&) { return true; });
}

const KnownSpec* SpecTable::find(const DagHash& hash, std::int64_t package_id) const {
    return find_where(hash, [&](const KnownSpec& spec) { return spec.package_id == package_id; });
}

}  // namespace cacheledger
