#include "ingest/sources/pages/page_stream.hpp"

#include <algorithm>
#include <utility>

#include "ingest/sources/files/threads.hpp"

namespace cacheledger {

namespace {

// So many that workers need not wait while the writer is slow, and so few that they take little
// memory.
constexpr std::size_t slots_per_job = 8;
constexpr std::size_t largest_chunk = 16;

}  // namespace

PageStream::PageStream(const std::function<Read()>& make_read, unsigned jobs)
    : slots_(slots_per_job * std::max(1U, jobs)) {
    try {
        start_threads(workers_, std::max(1U, jobs), [this, make_read] { work(make_read); });
    } catch (...) {
        stop();
        throw;
    }
}

PageStream::~PageStream() {
    stop();
}

void PageStream::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    freed_.notify_all();
}

void PageStream::start(std::size_t size) {
    const std::lock_guard lock(mutex_);
    size_ = size;
    // In a small batch, each worker gets a part.
    chunk_size_ = std::clamp<std::size_t>(size / (4 * workers_.size()), 1, largest_chunk);
    taken_ = 0;
    given_ = 0;
    freed_.notify_all();
}

void PageStream::work(const std::function<Read()>& make_read) {
    std::unique_lock lock(mutex_, std::defer_lock);
    try {
        const Read read = make_read();
        lock.lock();
        fill_slots(read, lock);
    } catch (...) {
        if (!lock.owns_lock()) {
            lock.lock();
        }
        failure_ = std::current_exception();
        filled_.notify_one();
    }
}

void PageStream::fill_slots(const Read& read, std::unique_lock<std::mutex>& lock) {
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
        for (std::size_t item = begin; item < end; ++item) {
            chunk.push_back(read(item));
        }
        lock.lock();
        slots_[index % slots_.size()] = std::move(chunk);
        filled_.notify_one();
    }
}

std::optional<PageState> PageStream::next() {
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

}  // namespace cacheledger
