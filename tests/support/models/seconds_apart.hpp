#pragma once

#include <cstdint>
#include <set>

/// Moments of commits, found by looking back at all that were given before.
namespace cacheledger::history_model {

/// Gives the commits of one tag, asked in git's order, each a second of its own.
class SecondsApart {
  public:
    std::int64_t of(std::int64_t time) {
        while (!taken_.insert(time).second) {
            ++time;
        }
        return time;
    }

  private:
    std::set<std::int64_t> taken_;
};

}  // namespace cacheledger::history_model
