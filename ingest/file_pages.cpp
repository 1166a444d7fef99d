#include "ingest/file_pages.hpp"

#include <stdexcept>
#include <utility>

#include "ingest/digest.hpp"

namespace cacheledger {

PageItem read_page(const PageFile& file, const KnownPages& known, PageReader& reader) {
    const std::string& name = file.file;
    std::string text;
    try {
        text = read_page_file(file);
    } catch (const std::invalid_argument& error) {
        return unreadable_page(name, file.path, error.what());
    }
    const Digest digest = blob_id(text);
    if (const auto* const known_page = known.find(digest)) {
        return {name, known_page->page_at(file.path, digest),
                [name, text = std::move(text), digest](PageReader& again) {
                    return std::get<Page>(again.read(name, text, digest));
                }};
    }
    const bool must_be_page = file.named || has_page_name(file.file) || text.empty();
    const auto read_beside = [&](const std::string& beside) {
        return read_file_beside(file, beside);
    };
    PageItem item =
        read_page_text(reader, {name, file.path, text, digest, must_be_page, read_beside});
    if (auto* const page = std::get_if<Page>(&item.result)) {
        // A page with spec files is known by them as well, so that it had to be read first.
        if (const auto* const same = known.find(page->digest)) {
            page->page_id = same->page_id;
        }
    }
    return item;
}

}  // namespace cacheledger
