#pragma once

#include <string_view>
#include <vector>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// What a header of `spack find` says of the specs below it.
struct ListHeader {
    SpecQuery system;                        ///< its platform, os and target
    std::vector<DependencyQuery> compilers;  ///< exact where the system is known
    bool are_roots = false;                  ///< of an environment, as a user typed them

    bool has_system() const { return system.platform || system.os || system.target; }
    bool has_whole_system() const { return system.platform && system.os && system.target; }
};

/// Whether the line is such a header: "-- linux-ubuntu22.04-x86_64 / %c,cxx=gcc@11.4.0 ------".
bool is_list_header(std::string_view line);

/// Reads it. Throws SpecError.
ListHeader read_list_header(std::string_view line);

}  // namespace cacheledger
