#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// What SPECs that no build matches asked for before Spack 1.0, where builds match that: the remark
/// that says what to write now.
class FormerSpecs {
  public:
    /// Looks among the builds of a snapshot; nullopt: of the ledger.
    FormerSpecs(SQLite::Database& database, std::optional<std::int64_t> snapshot_id)
        : database_(database), snapshot_id_(snapshot_id) {}

    /// Looks for one SPEC. `typed` is its text, and counts only if it is read as `query`;
    /// `packages` as for matching_specs(). `name` is what the remark calls it.
    void ask(const std::string& typed, const SpecQuery& query, const std::string& name,
             const std::string& packages = "*");

    /// "Before Spack 1.0 this asked for 'hdf5 +mpi %gcc', which 2 builds match; so it was with 3
    /// more specs." nullopt if there is nothing to say.
    std::optional<std::string> remark() const;

  private:
    SQLite::Database& database_;
    std::optional<std::int64_t> snapshot_id_;
    std::string first_;
    std::int64_t found_ = 0;
};

}  // namespace cacheledger
