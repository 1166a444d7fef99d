#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "ingest/sources/source.hpp"

namespace cacheledger {

/// Reads pages on worker threads and gives them in order. At most a bounded number of pages is held
/// at once, however many there are. Where they are read from is the business of the functions that
/// it is given. The workers live as long as the stream, which serves one batch of pages after the
/// other.
class PageStream {
  public:
    /// Gives the item of an index into the batch; called in one worker thread only.
    using Read = std::function<PageState(std::size_t)>;

    /// `make_read` is called once by each worker. `jobs`: number of threads, at least 1. Throws
    /// UsageError where not so many can be started.
    PageStream(const std::function<Read()>& make_read, unsigned jobs);
    ~PageStream();
    PageStream(const PageStream&) = delete;
    PageStream& operator=(const PageStream&) = delete;

    /// Begins a batch of `size` items. next() must have given all of the batch before.
    void start(std::size_t size);

    /// The next item of the batch, or nothing after the last. Rethrows what a worker threw (out of
    /// memory, a source that can't be opened).
    std::optional<PageState> next();

  private:
    std::size_t chunks() const { return (size_ + chunk_size_ - 1) / chunk_size_; }
    void stop();
    void work(const std::function<Read()>& make_read);
    void fill_slots(const Read& read, std::unique_lock<std::mutex>& lock);

    // Several items at a time: threads that wake each other for each of 15,000 pages spend a tenth
    // of their time on that.
    using Chunk = std::vector<PageState>;

    std::vector<std::optional<Chunk>> slots_;  // chunk i waits in slot i % size
    std::size_t size_ = 0;                     // of the batch, in items
    std::size_t chunk_size_ = 1;
    std::size_t taken_ = 0;  // chunks that a worker has taken up
    std::size_t given_ = 0;  // chunks that next() has taken
    Chunk current_;          // the last of these
    std::size_t position_ = 0;
    bool stopped_ = false;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::condition_variable freed_;
    std::vector<std::jthread> workers_;
};

}  // namespace cacheledger
