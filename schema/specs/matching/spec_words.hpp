#pragma once

#include <optional>
#include <string>

namespace cacheledger {

/// What the ledger has of one spec, in words and canonical spelling, as the views give them.
/// nullopt: no source said so.
struct SpecWords {
    std::string package;
    std::optional<std::string> version, platform, os, target;
    std::optional<std::string> compiler;  ///< "gcc@13.2.0"; nullopt: none, or not known
    std::optional<std::string> variants;  ///< "build_type=Release ~ipo +mpi"
    std::string hash;

    // What only the node of a spec says (schema/sql/migrations/0001_initial.sql, `recipe`).
    std::optional<std::string> name_space, package_hash, flags, patches;
    std::optional<std::string> external;  ///< its path or modules; "no" for a spec that Spack built
    std::optional<std::string>
        spliced;  ///< the hash that was built; "no" for a spec that is itself
};

}  // namespace cacheledger
