#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "ingest/sources/files/threads.hpp"

namespace cacheledger {

/// Does the work with the numbers from 0 to `count` in threads, each of which takes neighbours:
/// what it remembers of one helps with the next. `make_work`: called once in each thread; makes
/// what is called with each number. `progress`: called in the caller's thread with the number that
/// is done, some times a second; it may throw, and then the rest is left. Throws what the work
/// throws, and UsageError if the threads can't be started.
template <typename MakeWork>
void in_parallel(std::size_t count, unsigned jobs, const MakeWork& make_work,
                 const std::function<void(std::size_t)>& progress) {
    constexpr std::size_t most_neighbours = 256;
    constexpr std::chrono::milliseconds between_reports{50};
    const std::size_t chunk = std::clamp<std::size_t>(count / jobs, 1, most_neighbours);
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> is_stopped = false;
    std::mutex mutex;
    std::condition_variable ended;
    unsigned running = 0;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            const auto work_with = make_work();
            for (std::size_t begin = next.fetch_add(chunk); begin < count && !is_stopped;
                 begin = next.fetch_add(chunk)) {
                for (std::size_t i = begin; i < std::min(begin + chunk, count) && !is_stopped;
                     ++i) {
                    work_with(i);
                    ++done;
                }
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            is_stopped = true;
        }
        const std::lock_guard lock(mutex);
        --running;
        ended.notify_one();
    };
    if (count == 0) {
        return;
    }
    const auto threads_needed =
        static_cast<unsigned>(std::min<std::size_t>(jobs, (count + chunk - 1) / chunk));
    running = threads_needed;
    std::vector<std::jthread> threads;  // joined before what they use is gone
    try {
        start_threads(threads, threads_needed, work);
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, between_reports, [&] { return running == 0; })) {
            lock.unlock();
            progress(done);
            lock.lock();
        }
        if (failure) {
            std::rethrow_exception(failure);
        }
    } catch (...) {
        is_stopped = true;
        throw;
    }
}

}  // namespace cacheledger
