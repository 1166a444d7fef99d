#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "reports/drift_row.hpp"
#include "reports/look_table.hpp"
#include "reports/reader.hpp"
#include "reports/state_comparison.hpp"
#include "schema/snapshot.hpp"

namespace cacheledger {

/// Which looks two snapshots have. Asks the ledger when it is asked, and not at all where the
/// comparison has all looks. Refers to what it is made from. Throws SQLite::Exception.
class PresentLooks {
  public:
    PresentLooks(const SQLite::Database& database, const Snapshot& before, const Snapshot& after,
                 const StateComparison& comparison, LookTable& table);

    /// How many specs of a look the snapshot of this side has.
    std::size_t count(Side side, const Look& look);

    /// How like the look are the likest others, of its package, that the snapshot of this side has;
    /// nothing where it hasn't the package.
    std::optional<Likeness> closest(Side side, const Look& look);

    /// The looks that it has of the same version and system.
    std::vector<Look> of_system(Side side, const Look& look);

    /// How many specs it has that look the same, whatever their compiler.
    std::size_t count_build(Side side, const Look& look);

  private:
    const LookPresence* find(const Look& look) const;
    bool has_package(Side side, std::int64_t package_id);
    std::span<const Look> of_version(Side side, const Look& look);
    const std::vector<Look>& of_package(Side side, std::int64_t package_id);

    std::array<const Snapshot*, 2> snapshots_;
    const StateComparison& comparison_;
    LookTable& table_;
    Reader package_, specs_of_look_;
    // Where the comparison has all looks: by side and package, in the order of versions.
    std::array<std::unordered_map<std::int64_t, std::vector<Look>>, 2> packages_;
};

}  // namespace cacheledger
