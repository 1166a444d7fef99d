#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "schema/matching/difference.hpp"
#include "schema/names/snapshot.hpp"
#include "schema/nearest/nearest_specs.hpp"

namespace cacheledger {

/// What a cache has at one moment.
class CachedBuilds {
  public:
    CachedBuilds(SQLite::Database& database, const Snapshot& snapshot);

    /// Whether it has a spec with this hash.
    bool has(const std::string& hash);

    /// What differs from the build of that package that comes nearest; nullopt if it has none. Ask
    /// for the specs of one package one after the other.
    std::optional<Difference> nearest(const SpecWords& wanted);

    /// The specs that the one with this hash needs directly: hash, package. nullopt if no source
    /// says so.
    std::optional<std::map<std::string, std::string>> dependencies(const std::string& hash);

    /// The node forms of its specs, as far as they are known.
    std::set<int> forms();

  private:
    void read(const std::string& package);

    SQLite::Database& database_;
    std::int64_t snapshot_id_;
    SQLite::Statement has_, builds_, is_node_, dependencies_;
    SpecReader words_;
    std::optional<std::string> package_;  // that of `of_package_`
    std::vector<SpecWords> of_package_;  // of builds that differ in nothing but the hash, the first
};

}  // namespace cacheledger
