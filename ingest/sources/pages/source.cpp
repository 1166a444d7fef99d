#include "ingest/sources/pages/source.hpp"

#include <utility>

#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/pages/file_source.hpp"

namespace cacheledger {

PageState made_known(PageState state, const FindKnown& known) {
    auto* const page = std::get_if<Page>(&state.content);
    if (page == nullptr) {
        return state;
    }
    const auto same = known(page->digest);
    if (!same) {
        return state;
    }
    return {std::move(state.place), *same, std::move(state.findings),
            [read = std::make_shared<const Page>(std::move(*page))] { return *read; }};
}

std::unique_ptr<Source> open_source(const std::vector<std::string>& paths, unsigned jobs,
                                    const ReadText& standard_input) {
    return std::make_unique<FileSource>(find_page_files(paths, jobs, standard_input), jobs);
}

}  // namespace cacheledger
