#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "schema/errors/error.hpp"

namespace cacheledger {

/// Starts `count` threads that do the same work, and adds them to `threads`. Throws UsageError if
/// the system can't start that many; the caller must then end the threads that `threads` already
/// holds. `work` must not throw: an exception in a thread would end the program.
template <typename Work>
void start_threads(std::vector<std::jthread>& threads, unsigned count, const Work& work) {
    try {
        for (unsigned i = 0; i < count; ++i) {
            threads.emplace_back(work);
        }
    } catch (const std::system_error& error) {
        throw UsageError(
            fmt::format("{} threads can't be started ({}); give --jobs a smaller number", count,
                        error.code().message()));
    }
}

/// Makes values in worker threads and returns them in order. Holds a limited number of them at a
/// time. Makes one batch after the other; the threads live as long as the stream.
template <typename Value>
class OrderedStream {
  public:
    /// Makes the value with this number in the batch. Called in one worker thread only.
    using Make = std::function<Value(std::size_t)>;

    /// `start_thread`: called once by each thread. `jobs`: number of threads, at least 1.
    /// `most_together`: how many neighbours a thread takes at a time, at most: waking another
    /// thread for each of 15,000 pages takes a tenth of the time. Throws UsageError if the threads
    /// can't be started.
    OrderedStream(const std::function<Make()>& start_thread, unsigned jobs,
                  std::size_t most_together = 16)
        : slots_(slots_per_job * std::max(1U, jobs)), most_together_(most_together) {
        try {
            start_threads(workers_, std::max(1U, jobs),
                          [this, start_thread] { work(start_thread); });
        } catch (...) {
            stop();
            throw;
        }
    }
    ~OrderedStream() { stop(); }
    OrderedStream(const OrderedStream&) = delete;
    OrderedStream& operator=(const OrderedStream&) = delete;

    /// Begins a batch of `size` values. next() must have returned all of the batch before.
    void start(std::size_t size) {
        const std::lock_guard lock(mutex_);
        size_ = size;
        // In a small batch, each worker gets a part.
        chunk_size_ = std::clamp<std::size_t>(size / (4 * workers_.size()), 1, most_together_);
        taken_ = 0;
        given_ = 0;
        freed_.notify_all();
    }

    /// The next value of the batch; nullopt after the last. Throws what a worker threw, such as
    /// std::bad_alloc.
    std::optional<Value> next() {
        if (position_ == current_.size()) {
            std::unique_lock lock(mutex_);
            if (given_ == chunks()) {
                return std::nullopt;
            }
            std::optional<Chunk>& slot = slots_[given_ % slots_.size()];
            filled_.wait(lock, [&] { return failure_ || slot; });
            if (failure_) {
                std::rethrow_exception(failure_);
            }
            current_ = *std::exchange(slot, std::nullopt);
            position_ = 0;
            ++given_;
            freed_.notify_one();
        }
        return std::move(current_[position_++]);
    }

  private:
    using Chunk = std::vector<Value>;

    // So many that workers need not wait while the writer is slow, and so few that they take little
    // memory.
    static constexpr std::size_t slots_per_job = 8;

    std::size_t chunks() const { return (size_ + chunk_size_ - 1) / chunk_size_; }

    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        freed_.notify_all();
    }

    void work(const std::function<Make()>& start_thread) {
        std::unique_lock lock(mutex_, std::defer_lock);
        try {
            const Make make = start_thread();
            lock.lock();
            fill_slots(make, lock);
        } catch (...) {
            if (!lock.owns_lock()) {
                lock.lock();
            }
            failure_ = std::current_exception();
            filled_.notify_one();
        }
    }

    void fill_slots(const Make& make, std::unique_lock<std::mutex>& lock) {
        while (true) {
            freed_.wait(lock, [&] {
                return stopped_ || (taken_ < chunks() && taken_ < given_ + slots_.size());
            });
            if (stopped_) {
                return;
            }
            const std::size_t index = taken_++;
            const std::size_t begin = index * chunk_size_;
            const std::size_t end = std::min(begin + chunk_size_, size_);
            lock.unlock();
            Chunk chunk;
            chunk.reserve(end - begin);
            for (std::size_t item = begin; item < end && !stopped_; ++item) {
                chunk.push_back(make(item));
            }
            lock.lock();
            slots_[index % slots_.size()] = std::move(chunk);
            filled_.notify_one();
        }
    }

    std::vector<std::optional<Chunk>> slots_;  // chunk i waits in slot i % size
    std::size_t most_together_;
    std::size_t size_ = 0;  // of the batch, in values
    std::size_t chunk_size_ = 1;
    std::size_t taken_ = 0;  // chunks that workers have begun
    std::size_t given_ = 0;  // chunks that next() has begun
    Chunk current_;          // the chunk that next() returns values of
    std::size_t position_ = 0;
    std::atomic<bool> stopped_ = false;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::condition_variable freed_;
    std::vector<std::jthread> workers_;
};

}  // namespace cacheledger
