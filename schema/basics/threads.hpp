#pragma once

#include <fmt/format.h>

#include <system_error>
#include <thread>
#include <vector>

#include "schema/basics/error.hpp"

namespace cacheledger {

/// Adds threads that do the same work, `count` of them. Throws where not so many can be started:
/// those that are then in `threads` have to be told to end. `work` must not throw, which would end
/// the program.
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
