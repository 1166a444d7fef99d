#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace cacheledger {

/// The columns of the terminal that standard output is; 0 where it is none.
std::size_t terminal_width();

/// Whether standard output is a terminal that takes colours; NO_COLOR (no-color.org) is honoured.
bool terminal_has_color();

/// A line on standard error that counts up while work goes on, with an estimate of the time left;
/// nothing where that is no terminal.
class ProgressLine {
  public:
    /// `things`: what is counted, such as "pages".
    explicit ProgressLine(std::string things);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(std::size_t done, std::size_t all);

    /// Takes the line away.
    void clear();

  private:
    std::string things_;
    bool is_terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace cacheledger
