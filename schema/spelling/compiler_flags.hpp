#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace cacheledger {

/// Whether Spack calls compiler flags so. They stand among the variants in spec files and in the
/// names of specs, and are none: `variants` of a page never has them.
inline bool is_compiler_flag(std::string_view name) {
    constexpr std::array<std::string_view, 6> flags = {"cflags", "cppflags", "cxxflags",
                                                       "fflags", "ldflags",  "ldlibs"};
    return std::find(flags.begin(), flags.end(), name) != flags.end();
}

}  // namespace cacheledger
