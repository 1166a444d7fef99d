#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace cacheledger {

/// A line on standard error that says what is being done, how much of it is done, and how long the
/// rest takes. Prints nothing if standard error is no terminal. There is one at a time.
class ProgressLine {
  public:
    /// `phase`: what is being done, such as "reading pages".
    explicit ProgressLine(std::string phase);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Another phase begins. Its time counts from now on.
    void begin(std::string phase);

    /// So much of the phase is done. Shows the line.
    void show(std::size_t done, std::size_t all);

    /// So much of the phase is done. Shows the line if the phase takes more than two seconds.
    void count(std::size_t done, std::size_t all);

    /// The phase goes on. Shows the line if it takes more than two seconds. Cheap enough to be
    /// called 100,000 times a second.
    void tick();

    /// Removes the line.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    void print(Clock::time_point now);

    std::string phase_;
    std::size_t done_ = 0;
    std::size_t all_ = 0;  // 0: how much there is to do is not known
    bool is_terminal_;
    bool shown_ = false;
    std::string line_;  // that was printed last
    Clock::time_point begin_;
    Clock::time_point last_shown_;
};

/// Removes the line that is shown, before the answer is written. None is shown any more.
void end_progress();

}  // namespace cacheledger
