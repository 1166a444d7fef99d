#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace cacheledger {

/// The number of columns of the terminal on standard output; 0 if standard output is no terminal.
std::size_t terminal_width();

/// Whether standard output is a terminal with colours. Respects NO_COLOR (no-color.org).
bool terminal_has_color();

/// A line on standard error that counts the work done and estimates the time left. Prints nothing
/// if standard error is no terminal.
class ProgressLine {
  public:
    /// `things`: what is counted, such as "pages". `next`: what is done when all of them are read;
    /// may be empty.
    explicit ProgressLine(std::string things, std::string next = "");
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(std::size_t done, std::size_t all);

    /// Removes the line.
    void clear();

  private:
    std::string things_;
    std::string next_;
    bool is_terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point begin_;
    std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace cacheledger
