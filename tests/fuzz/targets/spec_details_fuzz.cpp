#include "ingest/pages/reader/page_reader.hpp"

#include "tests/fuzz/page_text.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

// What is read, as one text.
std::string read(SpecDetailsReader& reader, std::string_view json) {
    Page page;
    try {
        page = page_with(reader.read(json, "zlib"));
    } catch (const Problem& problem) {
        return problem.in_place();
    }
    check(page);
    return text_of(page);
}

}  // namespace

void spec_details(std::string_view text) {
    static SpecDetailsReader used;
    SpecDetailsReader fresh;
    require(read(used, text) == read(fresh, text), "what was read before means nothing");
}

}  // namespace cacheledger::fuzz
