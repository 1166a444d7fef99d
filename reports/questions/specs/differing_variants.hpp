#pragma once

#include <string>
#include <vector>

#include "reports/render/table/value.hpp"

namespace cacheledger {

/// The variants of some builds, divided into what all of them have and what is left of each.
struct DividedVariants {
    std::vector<std::string> alike;  ///< "+mpi", "api=default": the same in all builds
    std::vector<Value> differing;    ///< of each build; NULL if nothing is left
};

/// Divides them. `variants`: the text of each build; NULL if it is not known, and then no variant
/// is the same in all builds.
DividedVariants divide_variants(const std::vector<Value>& variants);

}  // namespace cacheledger
