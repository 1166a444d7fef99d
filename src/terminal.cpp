#include "src/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace cacheledger {

std::size_t terminal_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
        return 0;
    }
    return size.ws_col;
}

bool terminal_has_color() {
    const char* const no_color = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    const bool refused = no_color != nullptr && *no_color != '\0';
    return !refused && isatty(STDOUT_FILENO) != 0 && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
}

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (shown_) {
        std::cerr << "\r\x1b[K" << std::flush;
    }
}

void ProgressLine::show(std::size_t done, std::size_t all) {
    const std::size_t percent = done * 100 / all;
    if (!is_terminal_ || (shown_ && percent == last_percent_)) {
        return;
    }
    std::cerr << "\rreading pages: " << done << " of " << all << " (" << percent << " %)"
              << std::flush;
    shown_ = true;
    last_percent_ = percent;
}

}  // namespace cacheledger
