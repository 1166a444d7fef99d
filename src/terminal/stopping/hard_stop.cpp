#include "src/terminal/stopping/hard_stop.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>

#include "reports/render/table/text_width.hpp"
#include "src/options/command_line/exit_status.hpp"
#include "src/terminal/stopping/interruption.hpp"

namespace cacheledger {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{50};
constexpr std::chrono::seconds grace{2};  // most queries end cleanly in this time

}  // namespace

HardStop::HardStop(std::optional<Watch::Seconds> timeout, const std::string& problem)
    : timeout_(timeout),
      problem_("cacheledger: " + visible(problem)),
      thread_([this](const std::stop_token& stop) { look(stop); }) {}

void HardStop::look(const std::stop_token& stop) {
    const auto begin = Clock::now();
    std::optional<Clock::time_point> interrupted;
    std::unique_lock lock(mutex_);
    while (!nothing_.wait_for(lock, stop, between_looks, [&] { return stop.stop_requested(); })) {
        const auto now = Clock::now();
        if (is_interrupted() && !interrupted) {
            interrupted = now;
        }
        if (interrupted && now - *interrupted > grace) {
            end_if_interrupted();
        }
        if (timeout_ && now - begin > *timeout_ + grace) {
            std::cerr << problem_ << std::endl;
            _exit(exit_usage);
        }
    }
}

}  // namespace cacheledger
