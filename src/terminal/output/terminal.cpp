#include "src/terminal/output/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

namespace cacheledger {

namespace {

// "40 s", "3 min", "2 h": an estimate is not more exact.
std::string approximately(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    if (seconds < 2 * minute) {
        return fmt::format("{:.0f} s", seconds);
    }
    return seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute)
                              : fmt::format("{:.0f} h", seconds / hour);
}

}  // namespace

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

ProgressLine::ProgressLine(std::string things, std::string next)
    : things_(std::move(things)),
      next_(std::move(next)),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      begin_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::clear() {
    if (shown_) {
        std::cerr << "\r\x1b[K" << std::flush;
        shown_ = false;
    }
}

void ProgressLine::show(std::size_t done, std::size_t all) {
    constexpr std::chrono::milliseconds between{100};
    constexpr double seconds_until_estimate = 2;
    const auto now = std::chrono::steady_clock::now();
    if (!is_terminal_ || done == 0 || (shown_ && now - last_shown_ < between && done < all)) {
        return;
    }
    std::string line =
        fmt::format("reading {}: {} of {} ({} %)", things_, done, all, done * 100 / all);
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    if (elapsed > seconds_until_estimate && done < all) {
        const double left = elapsed / static_cast<double>(done) * static_cast<double>(all - done);
        line += fmt::format(", about {} left", approximately(left));
    }
    if (done == all && !next_.empty()) {
        line = fmt::format("{} read: {}; {}", things_, all, next_);
    }
    std::cerr << "\r\x1b[K" << line << std::flush;
    shown_ = true;
    last_shown_ = now;
}

}  // namespace cacheledger
