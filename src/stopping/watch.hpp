#pragma once

#include <SQLiteCpp/Database.h>

#include <chrono>
#include <optional>
#include <string>

#include "src/options/options.hpp"

namespace cacheledger {

/// While it lives, what the connection runs stops when the program is interrupted
/// (src/stopping/interruption.hpp), or after a time. SQLite looks here between the steps of its
/// statements, those of the drift table among them; what is between two of these takes no second.
class Watch {
  public:
    using Seconds = std::chrono::duration<double>;

    explicit Watch(const SQLite::Database& database, std::optional<Seconds> timeout = {});
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// What is told where the time is over; `origin`: what took so long.
    std::string problem(const std::string& origin) const;

    /// Throws UsageError where the time was over.
    void explain(const std::string& origin) const;

  private:
    using Clock = std::chrono::steady_clock;

    static int must_stop(void* watch);

    const SQLite::Database& database_;
    std::optional<Seconds> timeout_;
    Clock::time_point end_;
    bool is_over_ = false;
};

/// Adds --timeout.
void add_timeout_option(po::options_description& options);

/// Throws UsageError where it is no number of seconds above 0.
std::optional<Watch::Seconds> read_timeout(const ParsedOptions& parsed);

}  // namespace cacheledger
