#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cacheledger {

/// One spec of a package's state, and its stacks.
struct SeenSpec {
    std::int64_t look_id = 0;
    std::int64_t spec_id = 0;
    std::int64_t stack_set_id = 0;  ///< 0: the page does not say

    bool operator==(const SeenSpec&) const = default;
};

/// The page that gave a package's state.
struct SeenPage {
    std::int64_t page_id = 0;
    std::string path;

    bool operator==(const SeenPage&) const = default;
};

/// A root of a lock file: what a user asked for, and the spec that it became.
struct SeenRoot {
    std::string environment;  ///< "" for the lock itself
    std::string text;         ///< as the user wrote it
    std::int64_t number = 0;  ///< tells roots of one text apart
    std::int64_t spec_id = 0;
    std::optional<std::string> group{};  ///< of the roots of an environment (Spack 1.2)

    auto operator<=>(const SeenRoot&) const = default;
};

}  // namespace cacheledger
