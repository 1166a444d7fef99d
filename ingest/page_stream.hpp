#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "ingest/known_pages.hpp"
#include "ingest/page.hpp"
#include "ingest/page_files.hpp"
#include "ingest/page_reader.hpp"

namespace cacheledger {

/// Reads files into pages on worker threads and gives them in the order of the files. At most a
/// bounded number of pages is held at once, however many files there are.
class PageStream {
  public:
    struct Item {
        const PageFile* file = nullptr;
        std::string
            text;  ///< only of a page whose text the ledger knows: to read its specs after all
        std::variant<NoPage, Page, BadPage> result;
    };

    /// `files` and `known` must outlive the stream. `jobs`: number of threads, at least 1.
    PageStream(const std::vector<PageFile>& files, const KnownPages& known, unsigned jobs);
    ~PageStream();
    PageStream(const PageStream&) = delete;
    PageStream& operator=(const PageStream&) = delete;

    /// The next item, or nothing after the last. Rethrows what a worker threw (out of memory).
    std::optional<Item> next();

  private:
    void work();

    const std::vector<PageFile>& files_;
    const KnownPages& known_;
    std::vector<std::optional<Item>> slots_;  // item i waits in slot i % size
    std::size_t taken_ = 0;                   // files that a worker has taken up
    std::size_t given_ = 0;                   // items that next() has given
    bool stopped_ = false;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable filled_;
    std::condition_variable freed_;
    std::vector<std::jthread> workers_;
};

/// What is to be read at `file`, without the help of a stream.
PageStream::Item read_page(const PageFile& file, const KnownPages& known, PageReader& reader);

}  // namespace cacheledger
