#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "ingest/sources/pages/source.hpp"

namespace cacheledger {

/// Reads pages in worker threads and returns them in order. Holds a limited number of pages at a
/// time. Reads one batch of pages after the other; the threads live as long as the stream.
class PageStream {
  public:
    /// Reads the page with this number in the batch. Called in one worker thread only.
    using Read = std::function<PageState(std::size_t)>;

    /// `make_read`: called once by each thread. `jobs`: number of threads, at least 1. Throws
    /// UsageError if the threads can't be started.
    PageStream(const std::function<Read()>& make_read, unsigned jobs);
    ~PageStream();
    PageStream(const PageStream&) = delete;
    PageStream& operator=(const PageStream&) = delete;

    /// Begins a batch of `size` pages. next() must have returned all pages of the batch before.
    void start(std::size_t size);

    /// The next page of the batch; nullopt after the last. Throws what a worker threw, such as
    /// std::bad_alloc.
    std::optional<PageState> next();

  private:
    std::size_t chunks() const { return (size_ + chunk_size_ - 1) / chunk_size_; }
    void stop();
    void work(const std::function<Read()>& make_read);
    void fill_slots(const Read& read, std::unique_lock<std::mutex>& lock);

    // Several pages at a time: waking another thread for each of 15,000 pages takes a tenth of the
    // time.
    using Chunk = std::vector<PageState>;

    std::vector<std::optional<Chunk>> slots_;  // chunk i waits in slot i % size
    std::size_t size_ = 0;                     // of the batch, in pages
    std::size_t chunk_size_ = 1;
    std::size_t taken_ = 0;  // chunks that workers have begun
    std::size_t given_ = 0;  // chunks that next() has begun
    Chunk current_;          // the chunk that next() returns pages of
    std::size_t position_ = 0;
    bool stopped_ = false;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::condition_variable freed_;
    std::vector<std::jthread> workers_;
};

}  // namespace cacheledger
