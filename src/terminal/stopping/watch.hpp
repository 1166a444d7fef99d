#pragma once

#include <SQLiteCpp/Database.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "src/options/command_line/options.hpp"
#include "src/terminal/progress/progress_line.hpp"

namespace cacheledger {

/// While this object lives, a statement of the connection stops when the program is interrupted
/// (src/terminal/stopping/interruption.hpp) or the timeout is over. SQLite calls it between the
/// steps of its statements, including those that compute the drift of a pair. The work outside of
/// SQLite takes less than a second. A line of progress is shown if the work takes long.
class Watch {
  public:
    using Seconds = std::chrono::duration<double>;

    explicit Watch(const SQLite::Database& database, std::optional<Seconds> timeout = {});

    /// The line of progress is that of the caller. It stops when `must_stop` is set, too.
    Watch(const SQLite::Database& database, ProgressLine& progress,
          const std::atomic<bool>* must_stop = nullptr);

    /// In a thread beside others: without a line of progress, and it stops when `must_stop` is set,
    /// too.
    Watch(const SQLite::Database& database, const std::atomic<bool>& must_stop);

    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Whether the program is interrupted or the timeout is over, for work outside of SQLite.
    bool must_stop();

    /// That of a watch that has one.
    ProgressLine& progress() { return *progress_; }

    /// The message if the timeout is over. `origin`: what took so long.
    std::string problem(const std::string& origin) const;

    /// Throws UsageError if the timeout was over.
    void explain(const std::string& origin) const;

  private:
    using Clock = std::chrono::steady_clock;

    static int is_called(void* watch);

    const SQLite::Database& database_;
    std::optional<ProgressLine> own_progress_;
    ProgressLine* progress_ = nullptr;
    const std::atomic<bool>* others_must_stop_ = nullptr;
    std::optional<Seconds> timeout_;
    Clock::time_point end_;
    bool is_over_ = false;
};

/// Adds --timeout.
void add_timeout_option(po::options_description& options);

/// The value of --timeout, in seconds. Throws UsageError if it is no number above 0, or too large.
std::optional<Watch::Seconds> read_timeout(const ParsedOptions& parsed);

}  // namespace cacheledger
