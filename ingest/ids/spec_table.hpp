#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schema/spelling/dag_hash.hpp"

namespace cacheledger {

/// A spec of the ledger.
struct KnownSpec {
    std::int64_t spec_id = 0;
    std::int64_t look_id = 0;
    std::int64_t package_id = 0;
};

/// Specs by hash; several for a hash that several packages claim. A table of its own, since
/// std::unordered_multimap takes memory for each spec and waits for it twice as often: a twelfth of
/// the time of an ingest.
class SpecTable {
  public:
    void insert(const DagHash& hash, const KnownSpec& spec);

    /// The first spec of this hash; nullptr where there is none. What it points to is good until
    /// the next insert().
    const KnownSpec* find(const DagHash& hash) const;

    /// The spec of this hash and package.
    const KnownSpec* find(const DagHash& hash, std::int64_t package_id) const;

    std::size_t size() const { return entries_.size(); }

  private:
    struct Entry {
        DagHash hash;
        KnownSpec spec;
    };
    // Where an entry is, and part of its hash, which tells most others from it without a look
    // there.
    struct Slot {
        std::uint32_t number = 0;  // of the entry, from 1 on; 0 where the slot is free
        std::uint32_t mark = 0;
    };

    template <typename Matches>
    const KnownSpec* find_where(const DagHash& hash, Matches matches) const;
    void place(const DagHash& hash, std::uint32_t number);
    void grow();

    std::vector<Entry> entries_;
    std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
};

}  // namespace cacheledger
