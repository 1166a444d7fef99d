#include "src/hard_stop.hpp"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <utility>

#include "reports/text_width.hpp"
#include "src/exit_status.hpp"
#include "src/interruption.hpp"

namespace cacheledger {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{50};
constexpr std::chrono::seconds grace{2};  // in which most queries end by themselves, cleanly

[[noreturn]] void end_for(const std::string& problem) {
    std::cerr << "cacheledger: " << visible(problem) << std::endl;
    _exit(exit_usage);
}

void look(const std::stop_token& stop, std::optional<Watch::Seconds> timeout,
          const std::string& problem) {
    const auto begin = Clock::now();
    std::optional<Clock::time_point> interrupted;
    std::mutex mutex;
    std::condition_variable_any nothing;
    std::unique_lock lock(mutex);
    while (!nothing.wait_for(lock, stop, between_looks, [&] { return stop.stop_requested(); })) {
        const auto now = Clock::now();
        if (is_interrupted() && !interrupted) {
            interrupted = now;
        }
        if (interrupted && now - *interrupted > grace) {
            end_if_interrupted();
        }
        if (timeout && now - begin > *timeout + grace) {
            end_for(problem);
        }
    }
}

}  // namespace

HardStop::HardStop(std::optional<Watch::Seconds> timeout, std::string problem)
    : thread_([timeout, problem = std::move(problem)](const std::stop_token& stop) {
          look(stop, timeout, problem);
      }) {}

}  // namespace cacheledger
