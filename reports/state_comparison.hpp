#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reports/drift_row.hpp"
#include "schema/snapshot.hpp"

namespace cacheledger {

/// A spec that only one of two snapshots has.
struct ChangedSpec {
    std::int64_t spec_id = 0;
    std::int64_t stack_set_id = 0;  ///< 0: not known
    Side side = Side::before;       ///< which has it
};

/// How many specs of a look two snapshots have, and which of them only one has.
struct LookPresence {
    std::int64_t package_id = 0;
    std::int64_t look_id = 0;
    std::array<std::size_t, 2> specs = {};             ///< by Side
    std::size_t first_changed = 0, changed_count = 0;  ///< in StateComparison::changed

    std::size_t on(Side side) const { return specs[static_cast<std::size_t>(side)]; }
};

/// A spec that both have, in known stacks that differ.
struct MovedSpec {
    std::int64_t package_id = 0;
    std::int64_t look_id = 0;
    std::int64_t spec_id = 0;
    std::array<std::int64_t, 2> stack_set_ids = {};  ///< by Side
};

struct StateComparison {
    /// In the order of package and look.
    std::vector<LookPresence> looks;
    std::vector<ChangedSpec> changed;
    std::vector<MovedSpec> moved;
    /// Whether `looks` has all that either snapshot has a spec of, and not only those with changes.
    bool has_all_looks = false;
};

/// What two snapshots have, spec by spec. In one series the time it takes follows what changed
/// between them, until reading the whole series is less; of two series all is read. Throws
/// SQLite::Exception.
StateComparison compare_states(const SQLite::Database& database, const Snapshot& before,
                               const Snapshot& after);

}  // namespace cacheledger
