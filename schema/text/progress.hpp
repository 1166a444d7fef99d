#pragma once

#include <cstddef>
#include <functional>

namespace cacheledger {

/// Called with the number of files, commits or steps done, and the number of all. If it throws, the
/// run ends; each function that takes it says what is kept.
using Progress = std::function<void(std::size_t, std::size_t)>;

inline void no_progress(std::size_t /*done*/, std::size_t /*all*/) {}

}  // namespace cacheledger
