#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace cacheledger {

/// Makes batches in a thread of its own, and gives them in order. At most four are in memory at
/// a time.
template <typename Batch>
class ReadAhead {
  public:
    /// Fills the batch, which has its old content and memory. False if it was the last. A batch
    /// that it was filling when it threw is given before next() throws the same.
    using Fill = std::function<bool(Batch&)>;

    /// `fill` is called in the thread only, until this is destroyed. Where no thread can be
    /// started, next() calls it.
    explicit ReadAhead(Fill fill) : fill_(std::move(fill)) {
        try {
            thread_ = std::jthread([this] { work(); });
        } catch (const std::system_error&) {
            has_thread_ = false;
        }
    }
    ~ReadAhead() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    /// The next batch, which is good until the next call; null after the last. Throws what `fill`
    /// threw.
    const Batch* next() {
        if (!has_thread_ && !ended_) {
            fill_one(batches_[made_ % batches_.size()]);
        }
        std::unique_lock lock(mutex_);
        given_ = wanted_;  // the batch before is done with
        changed_.notify_all();
        changed_.wait(lock, [&] { return ended_ || made_ > wanted_; });
        if (made_ > wanted_) {
            return &batches_[wanted_++ % batches_.size()];
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return nullptr;
    }

  private:
    void work() {
        while (true) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return stopped_ || made_ - given_ < batches_.size(); });
                if (stopped_ || ended_) {
                    return;
                }
            }
            fill_one(batches_[made_ % batches_.size()]);
        }
    }

    void fill_one(Batch& batch) {
        bool has_more = false;
        std::exception_ptr failure;
        try {
            has_more = fill_(batch);
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        ++made_;
        ended_ = !has_more;
        failure_ = failure;
        changed_.notify_all();
    }

    // A few, so that neither side waits where records differ in size.
    std::array<Batch, 4> batches_;
    Fill fill_;
    std::size_t made_ = 0, wanted_ = 0, given_ = 0;  // numbers of batches
    bool stopped_ = false, ended_ = false, has_thread_ = true;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::jthread thread_;  // last: the thread uses the members above
};

}  // namespace cacheledger
