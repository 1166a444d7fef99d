#include "ingest/page_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ingest/digest.hpp"
#include "ingest/front_matter.hpp"

namespace cacheledger {

namespace {

// Enough that no worker waits for the writer's slower pages, little enough to be no memory.
constexpr std::size_t slots_per_job = 64;

// Files under these names are pages upstream: one that does not look like a page is damaged, not
// another text.
bool has_page_name(const PageFile& file) {
    return file.file.filename() == "specs.md";
}

// Nor is one that has the specs of a page, whatever happened to its first line.
bool has_spec_details(const std::string& text) {
    return text.starts_with("spec_details:") || text.find("\nspec_details:") != std::string::npos;
}

bool must_be_page(const PageFile& file, const std::string& text) {
    return file.named || has_page_name(file) || text.empty();
}

BadPage bad_page(const PageFile& file, std::string problem) {
    BadPage bad;
    bad.file = file.file.string();
    bad.path = file.path;
    bad.problem = std::move(problem);
    return bad;
}

}  // namespace

PageStream::Item read_page(const PageFile& file, const KnownPages& known, PageReader& reader) {
    PageStream::Item item{&file, {}, NoPage{}};
    const std::string name = file.file.string();
    std::string text;
    try {
        text = read_page_file(file);
    } catch (const std::invalid_argument& error) {
        item.result = bad_page(file, fmt::format("{}:{}", name, error.what()));
        return item;
    }
    const Digest digest = blob_id(text);
    if (const auto* const page = known.find(digest)) {
        item.result = Page{
            file.path, digest, page->package, page->tag, page->num_specs, page->page_id, {}, {}};
        item.text = std::move(text);
        return item;
    }
    if (!must_be_page(file, text) && !opens_with_front_matter(text) && !has_spec_details(text)) {
        return item;
    }
    auto result = reader.read(name, text, digest);
    if (std::holds_alternative<NoPage>(result) && must_be_page(file, text)) {
        item.result = bad_page(file, name + ": expected a package page, with 'spec_details'");
    } else {
        std::visit([&](auto& value) { item.result = std::move(value); }, result);
    }
    if (auto* const page = std::get_if<Page>(&item.result)) {
        page->path = file.path;
    } else if (auto* const bad = std::get_if<BadPage>(&item.result)) {
        bad->path = file.path;
    }
    return item;
}

PageStream::PageStream(const std::vector<PageFile>& files, const KnownPages& known, unsigned jobs)
    : files_(files), known_(known), slots_(slots_per_job * std::max(1U, jobs)) {
    for (unsigned i = 0; i < std::max(1U, jobs); ++i) {
        workers_.emplace_back([this] { work(); });
    }
}

PageStream::~PageStream() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    freed_.notify_all();
}

void PageStream::work() {
    PageReader reader;
    std::unique_lock lock(mutex_);
    while (true) {
        freed_.wait(lock, [&] {
            return stopped_ || taken_ == files_.size() || taken_ < given_ + slots_.size();
        });
        if (stopped_ || taken_ == files_.size()) {
            return;
        }
        const std::size_t index = taken_++;
        lock.unlock();
        std::optional<Item> item;
        std::exception_ptr failure;
        try {
            item = read_page(files_[index], known_, reader);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        slots_[index % slots_.size()] = std::move(item);
        if (failure) {
            failure_ = failure;
        }
        filled_.notify_one();
    }
}

std::optional<PageStream::Item> PageStream::next() {
    std::unique_lock lock(mutex_);
    if (given_ == files_.size()) {
        return std::nullopt;
    }
    std::optional<Item>& slot = slots_[given_ % slots_.size()];
    filled_.wait(lock, [&] { return failure_ || slot; });
    if (failure_) {
        std::rethrow_exception(failure_);
    }
    std::optional<Item> item = std::exchange(slot, std::nullopt);
    ++given_;
    freed_.notify_all();
    return item;
}

}  // namespace cacheledger
