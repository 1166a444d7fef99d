#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "src/terminal/stopping/watch.hpp"

namespace cacheledger {

/// Ends the program if a query does not stop when it should. SQLite calls Watch between its steps,
/// and a single step, such as instr() of long texts, can take hours. Only for queries that read,
/// before anything is written.
class HardStop {
  public:
    /// `problem`: the message if the timeout is over.
    HardStop(std::optional<Watch::Seconds> timeout, const std::string& problem);

  private:
    void look(const std::stop_token& stop);

    // The thread must not throw, which would end the program; so everything that it needs is made
    // here.
    std::optional<Watch::Seconds> timeout_;
    std::string problem_;
    std::mutex mutex_;
    std::condition_variable_any nothing_;
    std::jthread thread_;  // last: the thread uses the members above
};

}  // namespace cacheledger
