#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "src/stopping/watch.hpp"

namespace cacheledger {

/// While it lives, ends the program where a query does not stop when it should: SQLite looks at
/// Watch between its steps, and a single one, as instr() of long texts, can take hours. For queries
/// that only read, before anything is written.
class HardStop {
  public:
    /// `problem`: what is told where the timeout is over.
    HardStop(std::optional<Watch::Seconds> timeout, const std::string& problem);

  private:
    void look(const std::stop_token& stop);

    // The thread makes nothing of its own: there, an exception would end the program.
    std::optional<Watch::Seconds> timeout_;
    std::string problem_;
    std::mutex mutex_;
    std::condition_variable_any nothing_;
    std::jthread thread_;  // last: it uses what is above
};

}  // namespace cacheledger
