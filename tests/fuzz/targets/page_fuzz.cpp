
#include "ingest/pages/reader/page_reader.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/text/digest.hpp"
#include "tests/fuzz/page_text.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

// What is read of a page, with the text of every file beside it.
std::string read(PageReader& reader, std::string_view text, std::string_view beside) {
    const Content result = reader.read({"a/b.md", text, blob_id(text), true,
                                        [&](const std::string&) { return std::string(beside); }});
    if (const auto* const bad = std::get_if<BadPage>(&result)) {
        const std::string problem = bad->problem.message();
        require(problem.starts_with("a/b.md:"), "a problem opens with the path");
        require(problem.size() < 1000, "a problem is a line that can be read");
        require(!bad->tag || !tag_problem(*bad->tag), "a bad page has a good tag, or none");
        return problem;
    }
    if (const auto* const page = std::get_if<Page>(&result)) {
        check(*page);
        require(!page->tag || !tag_problem(*page->tag), "a page has a good tag, or none");
        return text_of(*page);
    }
    return "no page";
}

}  // namespace

// A page; behind a line "=====", what is in each file beside it.
void page(std::string_view text) {
    constexpr std::string_view separator = "\n=====\n";
    const std::size_t end = text.find(separator);
    const std::string_view beside =
        end == std::string_view::npos ? "" : text.substr(end + separator.size());
    text = text.substr(0, end);
    static PageReader used;
    PageReader fresh;
    require(read(used, text, beside) == read(fresh, text, beside),
            "what was read before means nothing");
}

}  // namespace cacheledger::fuzz
