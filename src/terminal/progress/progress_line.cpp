#include "src/terminal/progress/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <utility>

namespace cacheledger {

namespace {

constexpr double seconds_in_silence = 2;
constexpr std::chrono::milliseconds between_lines{100};

bool has_line = false;  // one is shown
bool has_ended = false;

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

void remove_line() {
    std::cerr << "\r\x1b[K" << std::flush;
    has_line = false;
}

}  // namespace

ProgressLine::ProgressLine(std::string phase)
    : phase_(std::move(phase)), is_terminal_(isatty(STDERR_FILENO) != 0), begin_(Clock::now()) {}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::clear() {
    if (std::exchange(shown_, false) && has_line) {
        remove_line();
    }
}

void ProgressLine::begin(std::string phase) {
    phase_ = std::move(phase);
    done_ = 0;
    all_ = 0;
    begin_ = Clock::now();
    if (shown_) {
        print(begin_);
    }
}

void ProgressLine::show(std::size_t done, std::size_t all) {
    done_ = done;
    all_ = all;
    const auto now = Clock::now();
    if (done > 0 && (!shown_ || now - last_shown_ >= between_lines || done >= all)) {
        print(now);
    }
}

void ProgressLine::count(std::size_t done, std::size_t all) {
    done_ = done;
    all_ = all;
    tick();
}

void ProgressLine::tick() {
    if (!is_terminal_) {
        return;
    }
    const auto now = Clock::now();
    const bool is_due =
        shown_ ? now - last_shown_ >= between_lines
               : std::chrono::duration<double>(now - begin_).count() > seconds_in_silence;
    if (is_due) {
        print(now);
    }
}

void ProgressLine::print(Clock::time_point now) {
    if (!is_terminal_ || has_ended) {
        return;
    }
    std::string line = phase_;
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    if (all_ > 0) {
        line += fmt::format(": {} of {} ({} %)", done_, all_, done_ * 100 / all_);
    } else if (elapsed > seconds_in_silence) {
        line += fmt::format(": {}", approximately(elapsed));
    }
    if (done_ > 0 && done_ < all_ && elapsed > seconds_in_silence) {
        const double share = static_cast<double>(all_ - done_) / static_cast<double>(done_);
        line += fmt::format(", about {} left", approximately(elapsed * share));
    }
    last_shown_ = now;
    if (shown_ && line == line_) {
        return;
    }
    std::cerr << "\r\x1b[K" << line << std::flush;
    line_ = std::move(line);
    shown_ = true;
    has_line = true;
}

void end_progress() {
    has_ended = true;
    if (has_line) {
        remove_line();
    }
}

}  // namespace cacheledger
