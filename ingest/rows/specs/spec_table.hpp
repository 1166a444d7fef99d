#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "ingest/graphs/graph/hash_table.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

/// A spec that the ledger has.
struct KnownSpec {
    std::int64_t spec_id = 0;
    std::int64_t look_id = 0;
    std::int64_t package_id = 0;
};

/// Specs by hash. A hash that several packages claim has several specs.
class SpecTable {
  public:
    /// One that is there stays as it is.
    void insert(const DagHash& hash, const KnownSpec& spec);

    /// The spec with this hash, or nullptr; of several that with the lowest id. The pointer is
    /// valid until the next insert().
    const KnownSpec* find(const DagHash& hash) const { return first_.find(hash); }

    /// The spec with this hash and package, or nullptr.
    const KnownSpec* find(const DagHash& hash, std::int64_t package_id) const;

    /// Changes the look of the spec with this hash and package, if it is there.
    void set_look(const DagHash& hash, std::int64_t package_id, std::int64_t look_id);

    /// Makes room for so many more.
    void reserve(std::size_t more) { first_.reserve(first_.size() + more); }

    std::size_t size() const { return first_.size() + further_.size(); }

  private:
    HashTable<KnownSpec> first_;
    std::map<std::pair<DagHash, std::int64_t>, KnownSpec> further_;  // hardly ever any
};

}  // namespace cacheledger
