#pragma once

#include <cstddef>
#include <string>

namespace cacheledger {

/// The columns of the terminal that standard output is; 0 where it is none.
std::size_t terminal_width();

/// Whether standard output is a terminal that takes colours; NO_COLOR (no-color.org) is honoured.
bool terminal_has_color();

/// A line on standard error that counts up while work goes on; nothing where that is no terminal.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(std::size_t done, std::size_t all);

  private:
    bool is_terminal_;
    bool shown_ = false;
    std::size_t last_percent_ = 0;
};

}  // namespace cacheledger
