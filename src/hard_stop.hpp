#pragma once

#include <optional>
#include <string>
#include <thread>

#include "src/watch.hpp"

namespace cacheledger {

/// While it lives, ends the program where a query does not stop when it should: SQLite looks at
/// Watch between its steps, and a single one, as instr() of long texts, can take hours. For queries
/// that only read, before anything is written.
class HardStop {
  public:
    /// `problem`: what is told where the timeout is over.
    HardStop(std::optional<Watch::Seconds> timeout, std::string problem);

  private:
    std::jthread thread_;
};

}  // namespace cacheledger
