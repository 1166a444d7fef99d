#include "src/site/command/together.hpp"

#include <chrono>
#include <utility>

namespace cacheledger {

void Together::start(std::function<void()> work) {
    ++running_;
    threads_.emplace_back([this, work = std::move(work)] {
        run(work);
        --running_;
    });
}

void Together::run(const std::function<void()>& work) {
    try {
        work();
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!first_error_) {
            first_error_ = std::current_exception();
        }
        must_stop_ = true;
    }
}

void Together::finish(const std::function<void()>& tick) {
    constexpr std::chrono::milliseconds between_ticks{20};
    while (running_ > 0) {
        tick();
        std::this_thread::sleep_for(between_ticks);
    }
    threads_.clear();
    if (first_error_) {
        std::rethrow_exception(first_error_);
    }
}

}  // namespace cacheledger
