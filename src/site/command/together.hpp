#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cacheledger {

/// Works that run at once, of which all must succeed. If one fails, the others are asked to stop.
class Together {
  public:
    Together() = default;

    /// Waits for all threads, which are asked to stop.
    ~Together() { must_stop_ = true; }
    Together(const Together&) = delete;
    Together& operator=(const Together&) = delete;

    /// Runs the work in a thread of its own.
    void start(std::function<void()> work);

    /// Runs the work in this thread.
    void run(const std::function<void()>& work);

    /// Waits for all; calls `tick` every now and then meanwhile. Throws what the first one that
    /// failed threw: the others may only have stopped for it.
    void finish(const std::function<void()>& tick);

    /// Set once one has failed. Works look at it now and then.
    const std::atomic<bool>& must_stop() const { return must_stop_; }

  private:
    std::mutex mutex_;
    std::exception_ptr first_error_;
    std::atomic<bool> must_stop_ = false;
    std::atomic<int> running_ = 0;
    std::vector<std::jthread> threads_;  // last: they use the members above
};

}  // namespace cacheledger
