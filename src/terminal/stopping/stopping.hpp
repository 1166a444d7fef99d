#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "schema/errors/error.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/progress/progress_line.hpp"

namespace cacheledger {

/// From this call on, Ctrl-C (SIGINT) and SIGTERM ask the program to stop, so that it can roll back
/// and clean up. A second signal ends it at once. A signal that the caller ignores stays ignored
/// (nohup and shells do this for background jobs). Writing beyond a file size limit becomes an
/// error like a full disk, and SIGXFSZ does not end the program.
void catch_signals();

bool is_interrupted();

/// Throws Interrupted if a signal came.
void stop_if_interrupted();

/// If a signal came, ends the process by that signal: a shell then sees 130 or 143, and ends a loop
/// that runs the program.
void end_if_interrupted();

/// Whether SQLite stopped because a progress handler asked it to.
bool is_interruption(const SQLite::Exception& error);

/// Returns the result of `work`. Throws Interrupted if SQLite was interrupted.
template <typename Work>
auto interruptible(Work work) {
    try {
        return work();
    } catch (const SQLite::Exception& error) {
        if (is_interruption(error)) {
            throw Interrupted("interrupted");
        }
        throw;
    }
}

/// Returns the result of `work`. Throws Interrupted with the text `left`, which says what is left
/// behind, if the work was interrupted.
template <typename Work>
auto interruptible(const char* left, Work work) {
    try {
        return interruptible(work);
    } catch (const Interrupted&) {
        throw Interrupted(left);
    }
}

/// While this object lives, a statement of the connection stops when the program is interrupted
/// (catch_signals()) or the timeout is over. SQLite calls it between the
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
