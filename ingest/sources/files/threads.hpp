#pragma once

#include <fmt/format.h>

#include <system_error>
#include <thread>
#include <vector>

#include "schema/errors/error.hpp"

namespace cacheledger {

/// Starts `count` threads that do the same work, and adds them to `threads`. Throws UsageError if
/// the system can't start that many; the caller must then end the threads that `threads` already
/// holds. `work` must not throw: an exception in a thread would end the program.
template <typename Work>
void start_threads(std::vector<std::jthread>& threads, unsigned count, const Work& work) {
    try {
        for (unsigned i = 0; i < count; ++i) {
            threads.emplace_back(work);
        }
    } catch (const std::system_error& error) {
        throw UsageError(
            fmt::format("{} threads can't be started ({}); give --jobs a smaller number", count,
                        error.code().message()));
    }
}

}  // namespace cacheledger
