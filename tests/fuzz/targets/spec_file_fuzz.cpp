#include "ingest/pages/reader/page_reader.hpp"
#include "tests/fuzz/page_text.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

std::string read(SpecFilesReader& reader, std::string_view json) {
    const FrontMatter front = [] {
        FrontMatter made;
        made.spec_files = {
            {R"(- "zlib@1.2.11%gcc@9.3.0 arch=linux-rhel7-x86_64": spec-0.json)", 8}};
        return made;
    }();
    Page page;
    try {
        const auto read_beside = [&](const std::string&) { return std::string(json); };
        page = page_with(reader.read(front, "zlib", read_beside).specs);
    } catch (const Problem& problem) {
        return problem.in_place();
    }
    check(page);
    require(page.specs.size() == 1, "a file is a spec");
    return text_of(page);
}

}  // namespace

void spec_file(std::string_view text) {
    static SpecFilesReader used;
    SpecFilesReader fresh;
    require(read(used, text) == read(fresh, text), "what was read before means nothing");
}

}  // namespace cacheledger::fuzz
