#include "ingest/sources/file_source.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "ingest/basics/digest.hpp"
#include "ingest/sources/page_stream.hpp"
#include "ingest/sources/upstream_layout.hpp"

namespace cacheledger {

namespace {

PageState read_state(const PageFile& file, const Source::FindKnown& known, PageReader& reader) {
    PagePlace place{file.file, file.path, place_says(file.file)};
    std::string text;
    try {
        text = read_page_file(file);
    } catch (const Problem& problem) {
        return {std::move(place), unreadable_page(file.file, problem)};
    }
    const Digest digest = blob_id(text);
    if (const KnownPage* const page = known(digest)) {
        auto read_again = [name = file.file, text = std::move(text), digest](PageReader& again) {
            return std::get<Page>(again.read(name, text, digest));
        };
        return {std::move(place), *page, std::move(read_again)};
    }
    const bool must_be_page = file.named || has_page_name(file.file) || text.empty();
    auto content = reader.read({file.file, text, digest, must_be_page, [&](const auto& beside) {
                                    return read_file_beside(file, beside);
                                }});
    return made_known(std::move(place), std::move(content), known);
}

}  // namespace

void FileSource::read(const FindKnown& known, const TakeState& take) {
    const auto make_read = [&]() -> PageStream::Read {
        return [&, reader = std::make_shared<PageReader>()](std::size_t index) {
            return read_state(found_.files[index], known, *reader);
        };
    };
    PageStream stream(make_read, jobs_);
    stream.start(found_.files.size());
    while (const auto state = stream.next()) {
        take(*state);
    }
}

}  // namespace cacheledger
