#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/search/matching_specs.hpp"
#include "schema/ledger/search/search_memory.hpp"
#include "schema/ledger/wishes/dependency_judge.hpp"
#include "schema/ledger/wishes/package_wishes.hpp"
#include "schema/specs/lists/spec_list.hpp"

namespace cacheledger {

/// Finds the builds of a snapshot that are what a list wants, with the conditions that a spack.yaml
/// has for them.
class WantedBuilds {
  public:
    WantedBuilds(SQLite::Database& database, std::int64_t snapshot_id)
        : database_(database), snapshot_id_(snapshot_id), memory_(database) {}

    MatchingSpecs find(const WantedSpec& wanted);

    /// The names of dependencies that are not as required, and for which find() left out builds
    /// that are else as wanted.
    const std::set<std::string>& violated() const { return violated_; }

    /// What is asked of a build that shall be the nearest: the spec, and the conditions that are
    /// plain and can apply to some build of the package.
    SpecQuery nearest_query(const WantedSpec& wanted);

  private:
    PackageWishes* of_package(const std::string& package);  // nullptr: no spec of it is there

    SQLite::Database& database_;
    std::int64_t snapshot_id_;
    SearchMemory memory_;
    std::map<std::string, PackageWishes> packages_;
    std::map<std::shared_ptr<const DependencyConditions>, DependencyJudge> judges_;
    std::set<std::string> violated_;
};

/// Those of `specs`, which are of the package that is wanted.
MatchingSpecs wanted_among(SQLite::Database& database, const WantedSpec& wanted,
                           const std::vector<SpecAndLook>& specs, SearchMemory& memory);

}  // namespace cacheledger
