#include "ingest/sources/source.hpp"

#include <utility>

#include "ingest/sources/file_source.hpp"
#include "ingest/sources/page_files.hpp"

namespace cacheledger {

const PageHead* head_of(const PageState& state) {
    if (const auto* const known = std::get_if<KnownPage>(&state.content)) {
        return known;
    }
    return std::get_if<Page>(&state.content);
}

BadPage unreadable_page(const std::string& name, const Problem& problem) {
    BadPage bad;
    bad.problem = problem.message(name);
    return bad;
}

PageState made_known(PagePlace place, PageReader::Content content, const Source::FindKnown& known) {
    if (auto* const page = std::get_if<Page>(&content)) {
        if (const KnownPage* const same = known(page->digest)) {
            auto read = std::make_shared<const Page>(std::move(*page));
            return {std::move(place), *same, [read](PageReader&) { return *read; }};
        }
    }
    return std::visit(
        [&](auto& result) {
            return PageState{std::move(place), std::move(result)};
        },
        content);
}

std::unique_ptr<Source> open_source(const std::vector<std::string>& paths, unsigned jobs,
                                    const std::optional<std::string>& standard_input) {
    return std::make_unique<FileSource>(find_page_files(paths, jobs, standard_input), jobs);
}

}  // namespace cacheledger
