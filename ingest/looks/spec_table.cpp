#include "ingest/looks/spec_table.hpp"

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
std::uint32_t SpecTable::number_where(const DagHash& hash, Matches matches) const {
    if (slots_.empty()) {
        return 0;
    }
    const std::uint64_t key = mixed(hash);
    std::size_t slot = key & (slots_.size() - 1);
    for (; slots_[slot].number != 0; slot = (slot + 1) & (slots_.size() - 1)) {
        if (slots_[slot].mark == mark_of(key)) {
            const Entry& entry = entries_[slots_[slot].number - 1];
            if (entry.hash == hash && matches(entry.spec)) {
                return slots_[slot].number;
            }
        }
    }
    return 0;
}

std::uint32_t SpecTable::number_of(const DagHash& hash, std::int64_t package_id) const {
    return number_where(hash, [&](const KnownSpec& spec) { return spec.package_id == package_id; });
}

const KnownSpec* SpecTable::numbered(std::uint32_t number) const {
    return number == 0 ? nullptr : &entries_[number - 1].spec;
}

const KnownSpec* SpecTable::find(const DagHash& hash) const {
    return numbered(number_where(hash, [](const KnownSpec&) { return true; }));
}

const KnownSpec* SpecTable::find(const DagHash& hash, std::int64_t package_id) const {
    return numbered(number_of(hash, package_id));
}

void SpecTable::set_look(const DagHash& hash, std::int64_t package_id, std::int64_t look_id) {
    if (const std::uint32_t number = number_of(hash, package_id); number != 0) {
        entries_[number - 1].spec.look_id = look_id;
    }
}

}  // namespace cacheledger
